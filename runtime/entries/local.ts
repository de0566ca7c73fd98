import { randomUUID } from 'node:crypto'
import { memoryWake } from '../memory/wake.ts'
import { loadConfig, passwordsInEnvironment } from '../node/config.ts'
import { prepareDataDirectory } from '../node/data-directory.ts'
import { pinoLogger } from '../node/logger.ts'
import { openAdapters } from '../node/open-adapters.ts'
import { prepareDatabase } from '../node/prepare-database.ts'
import type { Runtime } from '../ports/runtime.ts'
import { relayedWake } from '../sidecar/relayed-wake.ts'
import { sidecarUrls } from './sidecar-urls.ts'

/** What a command works with. */
export interface LocalRuntime extends Runtime {
  /** SVC_PASSWORD and SVC_SMTP_PASSWORD. */
  readonly passwordsInEnvironment: {
    readonly imap?: string | undefined
    readonly smtp?: string | undefined
  }
}

/**
 * Runs a command on the store of the data directory, whether a service runs on it or not; one that runs hears of
 * the command's wakes.
 */
export async function withLocalRuntime<T>(work: (runtime: LocalRuntime) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const logger = pinoLogger('error', 'command')
  prepareDataDirectory(config.dataDir)
  await prepareDatabase(config.databaseUrl)
  const adapters = openAdapters(config, logger)
  const { ports } = adapters
  const sidecars = { urls: sidecarUrls(ports), secret: adapters.sidecarSecret }
  const wake = relayedWake(memoryWake(), sidecars, { logger, process: randomUUID() })
  try {
    return await work({
      ...ports,
      wake,
      stopping: new AbortController().signal,
      passwordsInEnvironment: passwordsInEnvironment(),
    })
  } finally {
    await wake.sent()
    await adapters.close()
  }
}
