import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MailEvent } from '../events/mail-event.ts'
import { messageDate } from '../messages/message-date.ts'
import { assignThreads, type Threaded } from '../threads/assign.ts'
import { adoptMoved, adoptUnconfirmed } from './adopt-rows.ts'
import { type Arrival, type ArrivalFolder, confirmed } from './arrival.ts'
import { type Lease, unitUnderLease } from './lease.ts'
import { arrivalKind, shownNew } from './shown-and-confirmed.ts'
import { storeContents } from './store-contents.ts'

/**
 * Takes messages into the store, in one transaction. Messages already known are passed over, so a sync that was
 * cut off anywhere can simply run again. After a UIDVALIDITY change a message with the same content keeps its id,
 * and on Gmail one that moved keeps it anyway. Returns how many are new.
 */
export async function ingest(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
  { folder, arrivals }: { folder: ArrivalFolder; arrivals: readonly Arrival[] },
): Promise<number> {
  return unitUnderLease(ctx, lease, async ({ tx, emit }) => {
    const arrived = await withoutKnown(tx, folder, arrivals)
    const unknown = folder.gmail
      ? await adoptMoved(tx, lease, { folder, arrivals: arrived })
      : arrived
    if (unknown.length === 0) return 0
    const contentIds = await storeContents(tx, unknown.map(parsedSource))
    const contentIdOf = (arrival: Arrival) => requireFrom(contentIds, arrival.sourceHash)
    const fresh = await adoptUnconfirmed(tx, folder, { arrivals: unknown, contentIdOf })
    if (fresh.length === 0) return 0
    const threadedOf = new Map(fresh.map((arrival) => [arrival, threaded(arrival)]))
    const threadOf = await assignThreads(tx, lease.accountId, [...threadedOf.values()])
    const rows = fresh.map((arrival) => ({
      ...confirmed(folder, arrival),
      ...shownNew(arrival.fetched, folder),
      accountId: lease.accountId,
      contentId: contentIdOf(arrival),
      threadId: requireFrom(threadOf, requireFrom(threadedOf, arrival)),
      date: messageDate(arrival.digest.dateHeaderMs, arrival.fetched.internalDateMs),
      internalDate: arrival.fetched.internalDateMs,
    }))
    // Ids cost time that a first sync, of which nobody is told, has not.
    if (folder.isTold) await emit(await insertTold(tx, folder, rows))
    else await tx.insert(messages).values(rows)
    return fresh.length
  })
}

async function insertTold(
  tx: Tx,
  folder: ArrivalFolder,
  rows: readonly (typeof messages.$inferInsert)[],
): Promise<readonly MailEvent[]> {
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .returning({ messageId: messages.id, folderId: messages.folderId })
  return inserted.flatMap(({ messageId, folderId }) => {
    const kind = arrivalKind(folderId, folder)
    return kind ? [{ kind, messageId }] : []
  })
}

const parsedSource = ({ sourceHash, sourceKept, size, digest, fetched }: Arrival) => ({
  sourceHash,
  sourceKept,
  size,
  digest,
  dateMs: messageDate(digest.dateHeaderMs, fetched.internalDateMs),
})

/** Gmail's own threads join ours: its X-GM-THRID is one more thing that messages share. */
function threaded({ digest, fetched: { gmailThreadId } }: Arrival): Threaded {
  const { messageIdHeader, references } = digest
  return {
    ...(messageIdHeader !== undefined && { messageIdHeader }),
    references:
      gmailThreadId === undefined ? references : [...references, `x-gm-thrid:${gmailThreadId}`],
  }
}

/** The map was filled for exactly these keys just before. */
function requireFrom<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key)
  if (value === undefined) throw new Error('What was just stored cannot be found.')
  return value
}

async function withoutKnown(
  tx: Tx,
  folder: ArrivalFolder,
  arrivals: readonly Arrival[],
): Promise<readonly Arrival[]> {
  // A server may send a message twice in one answer.
  const byUid = new Map(arrivals.map((arrival) => [arrival.fetched.uid, arrival]))
  const uids = [...byUid.keys()]
  const rows = await tx
    .select({ uid: messages.uid })
    .from(messages)
    .where(and(eq(messages.serverFolderId, folder.id), inArray(messages.uid, uids)))
  const known = new Set(rows.map(({ uid }) => uid))
  return [...byUid.values()].filter(({ fetched }) => !known.has(fetched.uid))
}
