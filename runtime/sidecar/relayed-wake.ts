import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Wake, WakeTopic } from '../ports/wake.ts'
import { sidecarClient } from './client.ts'

/** How soon a new sidecar, or one that came back, is listened to. */
const LOOK_EVERY_MS = 1_000

/** Somebody may be waiting for what becomes of a message. */
const AWAITED: WakeTopic = 'outbox'

/** The sidecars that share this store. */
export interface Sidecars {
  /** Where sidecars answer now. */
  readonly urls: () => Promise<readonly string[]>
  readonly secret: string
}

/** A wake that reaches every sidecar, and through them the other processes. */
export interface RelayedWake extends Wake {
  /** Resolves when the wakes so far have arrived or were given up, after a second at most. Never rejects. */
  sent(): Promise<void>
}

/**
 * Wakes `local` at once and the sidecars as well as can be: a failure is logged and never thrown. What is woken in one
 * go is sent in one request, after whatever is being answered, or before it where the answer waits for a sidecar.
 */
export function relayedWake(
  local: Wake,
  sidecars: Sidecars,
  { logger, process }: { readonly logger: Logger; readonly process: string },
): RelayedWake {
  const sending = new Set<Promise<void>>()
  let collected: { readonly topics: Set<WakeTopic>; readonly send: () => void } | undefined

  const send = async (topics: readonly WakeTopic[]) => {
    const urls = await sidecars.urls()
    const { secret } = sidecars
    await Promise.all(urls.map((url) => sidecarClient({ url, secret, process }).wake(topics)))
  }
  const collect = async () => {
    const topics = new Set<WakeTopic>()
    const { promise: isTime, resolve } = Promise.withResolvers<void>()
    collected = { topics, send: resolve }
    setImmediate(resolve)
    await isTime
    collected = undefined
    await send([...topics])
  }
  const failed = (error: unknown) =>
    logger.debug('a sidecar was not woken', { reason: String(error) })

  return {
    now(topic) {
      local.now(topic)
      if (!collected) {
        const sent = collect()
          .catch(failed)
          .finally(() => sending.delete(sent))
        sending.add(sent)
      }
      collected?.topics.add(topic)
      if (topic === AWAITED) collected?.send()
    },
    wait: (topic, signal) => local.wait(topic, signal),
    async sent() {
      await Promise.all(sending)
    },
  }
}

/** Passes the wakes of every sidecar on to `local` until `signal` aborts; comes back to sidecars that went away. */
export async function followSidecars(
  local: Wake,
  sidecars: Sidecars,
  options: {
    readonly clock: Clock
    readonly logger: Logger
    readonly process: string
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { clock, logger, process, signal } = options
  const followed = new Map<string, Promise<void>>()
  const complaints = new Map<string, string>()

  const complain = (url: string, error: unknown) => {
    const complaint = error instanceof Error ? error.message : String(error)
    if (complaints.get(url) === complaint) return
    complaints.set(url, complaint)
    logger.warn(complaint)
  }

  const follow = async (url: string) => {
    const client = sidecarClient({ url, secret: sidecars.secret, process })
    try {
      await client.listen((topic) => local.now(topic), signal)
    } catch (error) {
      complain(url, error)
    }
    followed.delete(url)
    // Whatever was said while nobody listened is in the store.
    local.now('changes')
  }

  while (!signal.aborted) {
    const urls = await sidecars.urls().catch(() => [])
    for (const url of urls) if (!followed.has(url)) followed.set(url, follow(url))
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  await Promise.all(followed.values())
}
