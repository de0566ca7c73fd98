import { destination, pino, stdTimeFunctions } from 'pino'
import { SERVICE_NAME } from '../../domain/identity.ts'
import type { Config } from '../ports/config.ts'
import type { Logger } from '../ports/logger.ts'
import { withoutParameters } from './query-parameters.ts'

/** Logs to standard error, one JSON object a line; `part` names the process that speaks. */
export function pinoLogger(level: Config['logLevel'], part: string): Logger {
  const log = pino(
    { level, base: { service: SERVICE_NAME, part }, timestamp: stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  )
  return {
    debug: (message, fields) => log.debug(fields ?? {}, message),
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, cause, fields) =>
      log.error({ ...fields, err: withoutParameters(cause) }, message),
  }
}
