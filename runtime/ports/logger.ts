export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Structured logging, one JSON object a line. Never pass a payload, a secret or a signature. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  /** `cause` is logged with its stack and its own causes. */
  error(message: string, cause: unknown, fields?: LogFields): void
}
