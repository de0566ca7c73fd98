import { findImapSettings } from '../domain/accounts/imap-settings.ts'
import { keepSource } from '../domain/messages/keep-source.ts'
import { sourcePlaces, type SourcePlace } from '../domain/messages/source-places.ts'
import type { MailSession } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

type Ports = Needs<
  | 'store'
  | 'secretBox'
  | 'outbound'
  | 'clock'
  | 'transcripts'
  | 'mailServer'
  | 'sourceStore'
  | 'logger'
>

/** Gets sources that somebody waits for, from here or, where they are missing, from their server. */
export interface SourceRefetch {
  /** Undefined when no server that can be reached has it any more. */
  get(hash: string): Promise<Uint8Array | undefined>
}

/**
 * Missing sources are fetched again over a connection beside that of the sync, so that nobody waits for a sync, and
 * kept. One connection at a time per account, whatever is asked for at once.
 */
export function sourceRefetch(ctx: Ports): SourceRefetch {
  const lanes = new Map<number, Promise<unknown>>()

  const inLane = <T>(accountId: number, work: () => Promise<T>): Promise<T> => {
    const turn = (lanes.get(accountId) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    lanes.set(accountId, settled)
    void settled.then(() => lanes.get(accountId) === settled && lanes.delete(accountId))
    return turn
  }

  return {
    async get(hash) {
      const kept = await ctx.sourceStore.get(hash)
      if (kept) return kept
      for (const place of await sourcePlaces(ctx, hash)) {
        const fetched = await inLane(place.accountId, () => fetchFrom(ctx, place, hash)).catch(
          (error: unknown) => {
            ctx.logger.warn('A missing source could not be fetched again.', {
              accountId: place.accountId,
              reason: error instanceof Error ? error.message : String(error),
            })
          },
        )
        if (fetched) return fetched
      }
      return undefined
    },
  }
}

async function fetchFrom(
  ctx: Ports,
  place: SourcePlace,
  hash: string,
): Promise<Uint8Array | undefined> {
  // Whoever stood before in the lane may have brought it.
  const kept = await ctx.sourceStore.get(hash)
  const settings = kept ? undefined : await findImapSettings(ctx, place.accountId)
  if (!settings) return kept
  const session = await ctx.mailServer.connect(settings, { transcript: settings.transcript })
  try {
    const source = await sourceAt(session, place)
    // A server that gives other bytes than it once did has another message there.
    return source && (await keepSource(ctx, { sourceHash: hash, source })) ? source : undefined
  } finally {
    await session.close()
  }
}

async function sourceAt(session: MailSession, { path, uidValidity, uid }: SourcePlace) {
  const selected = await session.select(path)
  if (String(selected.uidValidity) !== uidValidity) return undefined
  for await (const { source } of session.fetchMessages([uid])) return source
  return undefined
}
