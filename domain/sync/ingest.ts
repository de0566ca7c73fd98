import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { messages } from '../../db/schema/messages.ts'
import type { FetchedFlags } from '../../runtime/ports/mail-server.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { shownAfter, shownFlags } from '../messages/flags.ts'
import { messageDate } from '../messages/message-date.ts'
import { assignThreads } from '../threads/assign.ts'
import { type Lease, underLease } from './lease.ts'
import { SHOWN_AND_CONFIRMED } from './shown-and-confirmed.ts'
import { storeContents } from './store-contents.ts'

/** A message as it arrived in a folder, its source already kept in the SourceStore. */
export interface Arrival {
  readonly fetched: FetchedFlags & { readonly internalDateMs: number; readonly emailId?: string }
  readonly sourceHash: string
  /** Bytes. */
  readonly size: number
  readonly digest: MessageDigest
}

/** Where messages arrive. */
export interface ArrivalFolder {
  readonly id: number
  readonly isInbox: boolean
  readonly uidValidity: bigint
}

/**
 * Takes messages into the store, in one transaction. Messages already known are passed over, so a sync that was
 * cut off anywhere can simply run again. After a UIDVALIDITY change a message with the same content keeps its id.
 */
export async function ingest(
  ctx: Needs<'store'>,
  lease: Lease,
  { folder, arrivals }: { folder: ArrivalFolder; arrivals: readonly Arrival[] },
): Promise<void> {
  await underLease(ctx, lease, async (tx) => {
    const unknown = await withoutKnown(tx, folder, arrivals)
    if (unknown.length === 0) return
    const contentIds = await storeContents(tx, unknown.map(parsedSource))
    const contentIdOf = (arrival: Arrival) => requireFrom(contentIds, arrival.sourceHash)
    const fresh = await withoutAdopted(tx, folder, { arrivals: unknown, contentIdOf })
    if (fresh.length === 0) return
    const digests = fresh.map(({ digest }) => digest)
    const threadOf = await assignThreads(tx, lease.accountId, digests)
    await tx.insert(messages).values(
      fresh.map((arrival) => ({
        ...confirmed(folder, arrival),
        ...shownFlags(arrival.fetched.flags),
        accountId: lease.accountId,
        contentId: contentIdOf(arrival),
        threadId: requireFrom(threadOf, arrival.digest),
        date: messageDate(arrival.digest.dateHeaderMs, arrival.fetched.internalDateMs),
        internalDate: arrival.fetched.internalDateMs,
        folderId: folder.id,
        inInbox: folder.isInbox,
      })),
    )
  })
}

const parsedSource = ({ sourceHash, size, digest, fetched }: Arrival) => ({
  sourceHash,
  size,
  digest,
  dateMs: messageDate(digest.dateHeaderMs, fetched.internalDateMs),
})

/** The map was filled for exactly these keys just before. */
function requireFrom<Key>(ids: ReadonlyMap<Key, number>, key: Key): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error('A row that was just stored has no id.')
  return id
}

const confirmed = (folder: ArrivalFolder, { fetched }: Arrival) => ({
  serverFolderId: folder.id,
  uid: fetched.uid,
  uidValidity: String(folder.uidValidity),
  serverFlags: fetched.flags,
  modseq: fetched.modseq === undefined ? null : String(fetched.modseq),
  emailId: fetched.emailId ?? null,
})

async function withoutKnown(
  tx: Tx,
  folder: ArrivalFolder,
  arrivals: readonly Arrival[],
): Promise<readonly Arrival[]> {
  const uids = arrivals.map(({ fetched }) => fetched.uid)
  const rows = await tx
    .select({ uid: messages.uid })
    .from(messages)
    .where(and(eq(messages.serverFolderId, folder.id), inArray(messages.uid, uids)))
  const known = new Set(rows.map(({ uid }) => uid))
  return arrivals.filter(({ fetched }) => !known.has(fetched.uid))
}

interface Adoptable {
  readonly arrivals: readonly Arrival[]
  readonly contentIdOf: (arrival: Arrival) => number
}

/** Gives arrivals to the rows of the same content that a UIDVALIDITY change left without a UID, in UID order. */
async function withoutAdopted(
  tx: Tx,
  folder: ArrivalFolder,
  { arrivals, contentIdOf }: Adoptable,
): Promise<readonly Arrival[]> {
  const orphans = await tx
    .select(SHOWN_AND_CONFIRMED)
    .from(messages)
    .where(
      and(
        eq(messages.serverFolderId, folder.id),
        isNull(messages.uid),
        inArray(messages.contentId, arrivals.map(contentIdOf)),
      ),
    )
    .orderBy(messages.id)
  const fresh: Arrival[] = []
  for (const arrival of arrivals.toSorted((a, b) => a.fetched.uid - b.fetched.uid)) {
    const index = orphans.findIndex(({ contentId }) => contentId === contentIdOf(arrival))
    const [orphan] = index < 0 ? [] : orphans.splice(index, 1)
    if (!orphan) {
      fresh.push(arrival)
      continue
    }
    const shown = shownAfter(orphan, orphan.serverFlags, arrival.fetched.flags)
    await tx
      .update(messages)
      .set({ ...confirmed(folder, arrival), ...shown })
      .where(eq(messages.id, orphan.id))
  }
  return fresh
}
