import { join } from 'node:path'
import { gatedMailServer } from '../memory/connection-gate.ts'
import { memoryMetrics } from '../memory/metrics.ts'
import { memoryRateLimiter } from '../memory/rate-limiter.ts'
import type { Config } from '../ports/config.ts'
import type { Logger } from '../ports/logger.ts'
import type { Runtime } from '../ports/runtime.ts'
import { systemClock } from './clock.ts'
import { type FileStoreOptions, openFileStore } from './file-store.ts'
import { openKeyMaterial } from './key-material.ts'
import { loadedWhenUsed } from './loaded-when-used.ts'
import { networkPorts } from './network-ports.ts'
import { aesSecretBox } from './secret-box.ts'
import { openSourcePorts } from './source-ports.ts'
import { submissionWhenUsed } from './submission-when-used.ts'
import { transcriptFiles } from './transcript-files.ts'

/** The ports of this deployment but for those that differ from process to process. */
export interface Adapters {
  readonly ports: Omit<Runtime, 'wake' | 'stopping'>
  /** What both halves of one data directory know without being told. */
  readonly sidecarSecret: string
  close(): Promise<void>
}

/** Opens the store of a prepared data directory and everything around it. Libraries load when first used. */
export function openAdapters(
  config: Config,
  logger: Logger,
  storeOptions: FileStoreOptions = {},
): Adapters {
  const keys = openKeyMaterial(config)
  const metrics = memoryMetrics()
  const store = openFileStore(config.databaseUrl, storeOptions)
  const sourcesDirectory = join(config.dataDir, 'sources')
  const mailServer = loadedWhenUsed(async () => {
    const { imapflowMailServer } = await import('./imap/mail-server.ts')
    return gatedMailServer(imapflowMailServer({ metrics, spoolDirectory: sourcesDirectory }))
  })
  const submission = submissionWhenUsed()
  const passwordHasher = loadedWhenUsed(async () =>
    (await import('./threaded-password-hasher.ts')).openThreadedPasswordHasher(),
  )
  const bodyRenderer = loadedWhenUsed(async () =>
    (await import('./threaded-body-renderer.ts')).openThreadedBodyRenderer(),
  )
  const sources = openSourcePorts(sourcesDirectory)
  return {
    ports: {
      store,
      ...sources.ports,
      clock: systemClock,
      mailServer: {
        connect: async (settings, options) => (await mailServer.get()).connect(settings, options),
      },
      transcripts: transcriptFiles(join(config.dataDir, 'transcripts'), systemClock),
      submission,
      bodyRenderer: {
        render: async (mode, written) => (await bodyRenderer.get()).render(mode, written),
      },
      ...networkPorts(config.webhookNetworks),
      passwordHasher: {
        hash: async (secret) => (await passwordHasher.get()).hash(secret),
        verify: async (secret, phc) => (await passwordHasher.get()).verify(secret, phc),
      },
      secretBox: aesSecretBox(keys.derive('secret-box')),
      rateLimiter: memoryRateLimiter(config.apiRateLimit),
      logger,
      metrics,
      config,
    },
    sidecarSecret:
      config.sidecarSecret ?? Buffer.from(keys.derive('sidecar-secret')).toString('base64url'),
    async close() {
      await submission.close()
      await sources.close()
      await (await bodyRenderer.loaded())?.close()
      await (await passwordHasher.loaded())?.close()
      await store.close()
    },
  }
}
