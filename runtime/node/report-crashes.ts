import type { Logger } from '../ports/logger.ts'

/** Ends the process with 1 after a mistake that nobody caught, and puts Node's own warnings into the log. */
export function reportCrashes(logger: Logger): void {
  const crash = (cause: unknown) => {
    logger.error('The process ends after an error that nobody caught.', cause)
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn(warning.message, { warning: warning.name }))
}
