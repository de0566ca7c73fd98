import { loadConfig, unknownSettings } from '../node/config.ts'
import { isOpenToOthers, prepareDataDirectory } from '../node/data-directory.ts'
import { pinoLogger } from '../node/logger.ts'
import { reportCrashes } from '../node/report-crashes.ts'
import { stopSignal } from '../node/stop-signal.ts'
import type { Config } from '../ports/config.ts'
import type { Logger } from '../ports/logger.ts'

/** What every long-running process begins with. */
export interface Service {
  readonly config: Config
  readonly logger: Logger
  /** Aborts when the process shall end. */
  readonly signal: AbortSignal
}

/** Runs `work` over a prepared data directory until it ends; returns the exit code. `part` names it in the log. */
export async function runService(
  part: string,
  work: (service: Service) => Promise<void>,
): Promise<number> {
  const config = loadConfig()
  const logger = pinoLogger(config.logLevel, part)
  const stopping = stopSignal()
  reportCrashes(logger)
  if (stopping.signal.aborted) return stopping.exitCode()
  prepareDataDirectory(config.dataDir)
  if (!isSupervised()) warnOfSettings(config, logger)
  try {
    await work({ config, logger, signal: stopping.signal })
  } catch (error) {
    // Nobody but the log listens to a supervised child.
    if (!isSupervised()) throw error
    logger.error('The process cannot go on.', error)
    return 1
  }
  return stopping.exitCode()
}

const isSupervised = () => process.send !== undefined

function warnOfSettings(config: Config, logger: Logger): void {
  for (const warning of unknownSettings()) logger.warn(warning)
  if (isOpenToOthers(config.dataDir))
    logger.warn('Others on this machine can enter the data directory: chmod 700 closes it.')
}
