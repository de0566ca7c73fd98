import { keepSource, keptSource } from '../domain/messages/keep-source.ts'
import { sourcePlaces, type SourcePlace } from '../domain/messages/source-places.ts'
import type { MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { fetchSource } from './fetch-source.ts'
import type { InteractiveLanes } from './interactive-lanes.ts'
import { serverRests } from './server-rests.ts'

type Ports = Needs<'store' | 'sourceStore' | 'clock' | 'logger' | 'metrics'>

/** `away`: a server that may have it cannot be asked now. `gone`: no server has it any more. */
type Refetched = { readonly source: Uint8Array } | 'away' | 'gone'

/** Gets sources from here or, where they are missing, from their server, and keeps them. */
export interface SourceRefetch {
  /** For somebody who waits. Undefined when no server that can be reached has it any more. */
  get(hash: string): Promise<Uint8Array | undefined>
  /** For nobody: a server that could not be reached is not asked again before it had a rest. */
  restore(hash: string): Promise<Refetched>
}

/** A refused login is not tried again for a while, whoever asks, unless the settings have changed. */
export function sourceRefetch(ctx: Ports, lanes: InteractiveLanes): SourceRefetch {
  const rests = serverRests(ctx)

  const fetchAt = async (place: SourcePlace, hash: string): Promise<Refetched> => {
    try {
      const source = await lanes.use(place.accountId, (session) =>
        fetchFrom(ctx, session, { place, hash }),
      )
      return source ? { source } : 'gone'
    } catch (error) {
      ctx.logger.warn('A missing source could not be fetched again.', {
        accountId: place.accountId,
        reason: error instanceof Error ? error.message : String(error),
      })
      return rests.beginAfter(place, error) ? 'away' : 'gone'
    }
  }
  const find = async (
    hash: string,
    isSpared: (place: SourcePlace) => boolean,
  ): Promise<Refetched> => {
    const kept = await keptSource(ctx, hash)
    if (kept) return { source: kept }
    let missing: 'away' | 'gone' = 'gone'
    for (const place of await sourcePlaces(ctx, hash)) {
      const found = isSpared(place) ? 'away' : await fetchAt(place, hash)
      if (typeof found !== 'string') return found
      if (found === 'away') missing = found
    }
    return missing
  }
  return {
    async get(hash) {
      const found = await find(hash, (place) => rests.isRefused(place))
      return typeof found === 'string' ? undefined : found.source
    },
    restore: (hash) => find(hash, (place) => rests.isResting(place)),
  }
}

async function fetchFrom(
  ctx: Ports,
  session: MailSession,
  { place, hash }: { place: SourcePlace; hash: string },
): Promise<Uint8Array | undefined> {
  // Whoever stood before in the lane may have brought it.
  const kept = await keptSource(ctx, hash)
  if (kept) return kept
  const source = await sourceAt(session, place)
  // A server that gives other bytes than it once did has another message there.
  if (!source || !(await keepSource(ctx, { sourceHash: hash, source }))) return undefined
  ctx.metrics.count('sources_refetched_total')
  return source
}

async function sourceAt(session: MailSession, { path, uidValidity, uid }: SourcePlace) {
  const selected = await session.select(path)
  if (String(selected.uidValidity) !== uidValidity) return undefined
  return fetchSource(session, uid)
}
