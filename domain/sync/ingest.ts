import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MailEvent } from '../events/mail-event.ts'
import { messageDate } from '../messages/message-date.ts'
import { assignThreads, type Threaded } from '../threads/assign.ts'
import { adoptPublished } from './adopt-published.ts'
import { adoptMoved, adoptStartedMoves, adoptUnconfirmed } from './adopt-rows.ts'
import { type Arrival, type ArrivalFolder, confirmed } from './arrival.ts'
import { leftBehindUids } from './left-behind.ts'
import { type Lease, unitUnderLease } from './lease.ts'
import { forgetSources } from './orphaned-contents.ts'
import { runFilters } from '../filters/run.ts'
import { startFilterRuns } from '../filters/start-runs.ts'
import type { Unit } from '../unit-of-work.ts'
import { arrivalKind, shownNew } from './shown-and-confirmed.ts'
import { storeContents } from './store-contents.ts'

/**
 * Takes messages into the store, in one transaction. Messages already known are passed over, so a sync that was
 * cut off anywhere can simply run again. After a UIDVALIDITY change a message with the same content keeps its id,
 * and on Gmail one that moved keeps it anyway. Returns how many are new.
 */
export async function ingest(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  { folder, arrivals: given }: { folder: ArrivalFolder; arrivals: readonly Arrival[] },
): Promise<number> {
  const forgotten: string[] = []
  const count = await unitUnderLease(ctx, lease, async ({ tx, emit, hasSyncedOnce }) => {
    const tell = async (seen: readonly MailEvent[]) => {
      if (folder.areChangesTold && hasSyncedOnce) await emit(seen)
    }
    const arrived = await withoutKnown(tx, folder, given)
    const unknown = folder.gmail
      ? await adoptMoved(tx, lease, { folder, arrivals: arrived, tell })
      : arrived
    if (unknown.length === 0) return 0
    const contentIds = await storeContents(tx, unknown.map(parsedSource))
    const contentIdOf = (arrival: Arrival) => requireFrom(contentIds, arrival.sourceHash)
    const arrivals = await adoptUnconfirmed(tx, folder, { arrivals: unknown, contentIdOf })
    const nowMs = ctx.clock.now().getTime()
    const unmoved = await adoptStartedMoves(tx, folder, { arrivals, contentIdOf, nowMs, tell })
    const { accountId } = lease
    const published = { accountId, folder, arrivals: unmoved, contentIdOf, nowMs }
    const { fresh, draftIdOf, orphaned } = await adoptPublished(tx, published)
    forgotten.push(...orphaned)
    if (fresh.length === 0) return 0
    const threadedOf = new Map(fresh.map((arrival) => [arrival, threaded(arrival)]))
    const threadOf = await assignThreads(tx, accountId, [...threadedOf.values()])
    const rows = fresh.map((arrival) => ({
      ...confirmed(folder, arrival),
      ...shownNew(arrival.fetched, folder),
      accountId,
      contentId: contentIdOf(arrival),
      threadId: requireFrom(threadOf, requireFrom(threadedOf, arrival)),
      date: messageDate(arrival.digest.dateHeaderMs, arrival.fetched.internalDateMs),
      internalDate: arrival.fetched.internalDateMs,
      draftId: draftIdOf.get(arrival) ?? null,
    }))
    // Ids cost time that a first sync, of which nobody is told, has not.
    if (folder.isTold) await insertTold({ tx, emit }, folder, { fresh, rows, nowMs })
    else await tx.insert(messages).values(rows)
    return fresh.length
  })
  await forgetSources(ctx, forgotten)
  if (given.some(({ actions = [] }) => actions.length > 0)) ctx.wake.now('mailbox_changes')
  return count
}

interface News {
  readonly fresh: readonly Arrival[]
  /** Of these arrivals, in their order. */
  readonly rows: readonly (typeof messages.$inferInsert)[]
  readonly nowMs: number
}

/** Stores messages, tells of them, and has the filter rules do what they want with those that are new to the account. */
async function insertTold(
  unit: Unit,
  folder: ArrivalFolder,
  { fresh, rows, nowMs }: News,
): Promise<void> {
  const { tx, emit } = unit
  const here = await contentsHere(tx, rows)
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .returning(ARRIVED)
  await emit(inserted.flatMap((row) => eventsOf(row, folder)))
  const isNew = ({ inInbox, contentId }: Arrived) => inInbox && !here.has(contentId)
  const arrivalOf = new Map(fresh.map((arrival) => [arrival.fetched.uid, arrival]))
  const arrived = inserted.flatMap((row) => {
    const arrival = arrivalOf.get(row.uid ?? 0)
    return arrival && isNew(row) ? [{ ...row, ...arrival }] : []
  })
  const [{ accountId } = { accountId: 0 }] = inserted
  const sourceHashes = arrived.map(({ sourceHash }) => sourceHash)
  const unseen = await startFilterRuns(tx, { accountId, sourceHashes, ranAt: nowMs })
  for (const { messageId, sourceHash, digest, actions = [] } of arrived) {
    if (!unseen.delete(sourceHash)) continue
    const { subject, headersRaw } = digest
    const arrival = { accountId, messageId, sourceHash, subject, headersRaw, actions }
    await runFilters(unit, arrival, nowMs)
  }
}

const ARRIVED = {
  messageId: messages.id,
  accountId: messages.accountId,
  contentId: messages.contentId,
  folderId: messages.folderId,
  inInbox: messages.inInbox,
  uid: messages.uid,
}
type Arrived = Pick<typeof messages.$inferSelect, Exclude<keyof typeof ARRIVED, 'messageId'>>

/** Those contents of which the account has a message already: one that comes back to the inbox is no new mail. */
async function contentsHere(tx: Tx, rows: News['rows']): Promise<ReadonlySet<number>> {
  const found = await tx
    .select({ contentId: messages.contentId })
    .from(messages)
    .where(
      and(
        inArray(
          messages.contentId,
          rows.map(({ contentId }) => contentId),
        ),
        inArray(
          messages.accountId,
          rows.map(({ accountId }) => accountId),
        ),
      ),
    )
  return new Set(found.map(({ contentId }) => contentId))
}

function eventsOf(
  { messageId, folderId }: { readonly messageId: number; readonly folderId: number },
  folder: ArrivalFolder,
): readonly MailEvent[] {
  const kind = arrivalKind(folderId, folder)
  return kind ? [{ kind, messageId }] : []
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
  const known = new Set([...rows.map(({ uid }) => uid), ...(await leftBehindUids(tx, folder.id))])
  return [...byUid.values()].filter(({ fetched }) => !known.has(fetched.uid))
}
