import { listLiveSidecars } from '../../domain/sidecars/list-live.ts'
import type { Needs } from '../ports/runtime.ts'

/** How long an answer holds: whoever waits for a sidecar is not kept waiting for where it is. */
const KNOWN_MS = 1_000

/** Where sidecars answer: as configured, else as they registered, a second ago at most. */
export function sidecarUrls({ config, store, clock }: Needs<'store' | 'config' | 'clock'>) {
  let known: { readonly urls: readonly string[]; readonly atMs: number } | undefined
  return async (): Promise<readonly string[]> => {
    if (config.sidecarUrl) return [config.sidecarUrl]
    const atMs = clock.now().getTime()
    // None may have been there yet, or the clock was turned.
    const isFresh = known && known.urls.length > 0 && Math.abs(atMs - known.atMs) < KNOWN_MS
    if (known && isFresh) return known.urls
    known = { urls: await listLiveSidecars({ store }), atMs }
    return known.urls
  }
}
