import { keepSource, keptSource } from '../domain/messages/keep-source.ts'
import { sourcePlaces, type SourcePlace } from '../domain/messages/source-places.ts'
import type { MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { InteractiveLanes } from './interactive-lanes.ts'

type Ports = Needs<'store' | 'sourceStore' | 'logger' | 'metrics'>

/** Gets sources that somebody waits for, from here or, where they are missing, from their server. */
export interface SourceRefetch {
  /** Undefined when no server that can be reached has it any more. */
  get(hash: string): Promise<Uint8Array | undefined>
}

/** Missing sources are fetched again and kept. */
export function sourceRefetch(ctx: Ports, lanes: InteractiveLanes): SourceRefetch {
  return {
    async get(hash) {
      const kept = await keptSource(ctx, hash)
      if (kept) return kept
      for (const place of await sourcePlaces(ctx, hash)) {
        const fetched = await lanes
          .use(place.accountId, (session) => fetchFrom(ctx, session, { place, hash }))
          .catch((error: unknown) => {
            ctx.logger.warn('A missing source could not be fetched again.', {
              accountId: place.accountId,
              reason: error instanceof Error ? error.message : String(error),
            })
          })
        if (fetched) return fetched
      }
      return undefined
    },
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
  for await (const { source } of session.fetchMessages([uid])) return source
  return undefined
}
