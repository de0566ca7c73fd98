import type { Logger } from '../ports/logger.ts'
import type { SourceStore } from '../ports/source-store.ts'
import { sidecarClient } from './client.ts'
import type { Sidecars } from './relayed-wake.ts'

/** The sources of this process's disk, and those that only a sidecar has; a failure to ask one is logged. */
export function relayedSourceStore(
  local: SourceStore,
  sidecars: Sidecars,
  { logger, process }: { readonly logger: Logger; readonly process: string },
): SourceStore {
  const ask = (url: string, hash: string) =>
    sidecarClient({ url, secret: sidecars.secret, process })
      .source(hash)
      .catch((error: unknown) => {
        logger.warn('A sidecar could not be asked for a source.', { reason: String(error) })
        return undefined
      })
  return {
    put: (source) => local.put(source),
    delete: (hash) => local.delete(hash),
    async get(hash) {
      const source = await local.get(hash)
      if (source) return source
      for (const url of await sidecars.urls()) {
        const relayed = await ask(url, hash)
        if (relayed) return relayed
      }
      return undefined
    },
  }
}
