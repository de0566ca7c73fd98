import type { LogFields, Logger } from '../../runtime/ports/logger.ts'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
  readonly cause?: unknown
}

/** Keeps what was logged. */
export function recordingLogger(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  return {
    lines,
    debug: (message, fields = {}) => void lines.push({ level: 'debug', message, fields }),
    info: (message, fields = {}) => void lines.push({ level: 'info', message, fields }),
    warn: (message, fields = {}) => void lines.push({ level: 'warn', message, fields }),
    error: (message, cause, fields = {}) =>
      void lines.push({ level: 'error', message, cause, fields }),
  }
}
