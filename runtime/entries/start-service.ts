import { loadConfig, unknownSettings } from '../node/config.ts'
import { isOpenToOthers, prepareDataDirectory } from '../node/data-directory.ts'
import { pinoLogger } from '../node/logger.ts'
import { reportCrashes } from '../node/report-crashes.ts'
import { stopSignal } from '../node/stop-signal.ts'

/** What every long-running process begins with: configuration, log, data directory and a way to stop. */
export function startService(part: string) {
  const config = loadConfig()
  const logger = pinoLogger(config.logLevel, part)
  const stopping = stopSignal()
  reportCrashes(logger)
  prepareDataDirectory(config.dataDir)
  // A supervised child has nothing to add to what its parent said.
  if (!process.send) {
    for (const warning of unknownSettings()) logger.warn(warning)
    if (isOpenToOthers(config.dataDir))
      logger.warn('Others on this machine can enter the data directory: chmod 700 closes it.')
  }
  return { config, logger, stopping }
}
