import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { drafts } from '../../db/schema/drafts.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Draft } from '../drafts/draft-record.ts'
import { expungeLater } from '../drafts/drop.ts'
import { revisionOf } from '../drafts/revision-header.ts'
import { settlePublished } from '../drafts/settle-published.ts'
import { pendingChanges } from '../mailbox-changes/pending.ts'
import { messageDate } from '../messages/message-date.ts'
import { adopt } from './adopt-rows.ts'
import { type Arrival, type ArrivalFolder, confirmed } from './arrival.ts'
import { removeOrphanedContents } from './orphaned-contents.ts'

interface Published {
  readonly accountId: number
  readonly folder: ArrivalFolder
  readonly arrivals: readonly Arrival[]
  readonly contentIdOf: (arrival: Arrival) => number
  readonly nowMs: number
}

/** What is still to be stored, and of which drafts some of it is the first copy. */
interface Unadopted {
  readonly fresh: readonly Arrival[]
  readonly draftIdOf: ReadonlyMap<Arrival, number>
  /** The hashes of sources that no message has any more. */
  readonly orphaned: readonly string[]
}

/**
 * Finds among arrivals the copies that the server was asked to take of drafts. Each takes the place of the copy before
 * it, whose message id it keeps, and only then does the server hear that the old one goes.
 */
export async function adoptPublished(tx: Tx, published: Published): Promise<Unadopted> {
  const { arrivals } = published
  const expected = await draftsOnTheWay(tx, published)
  if (expected.size === 0) return { fresh: arrivals, draftIdOf: new Map(), orphaned: [] }
  const fresh: Arrival[] = []
  const draftIdOf = new Map<Arrival, number>()
  const orphaned: string[] = []
  for (const arrival of arrivals) {
    const draft = expected.get(arrival.digest.messageIdHeader ?? '')
    const revision = draft && revisionOf(arrival.digest.headersRaw)
    if (!draft || !isOnTheWay(draft, revision)) {
      fresh.push(arrival)
      continue
    }
    // An earlier one whose answer never came.
    if (revision !== draft.appendingRevision) {
      await expungeLater(tx, { ...confirmed(published.folder, arrival), ...draft }, published.nowMs)
      continue
    }
    expected.delete(draft.messageIdHeader)
    const replaced = await replaceCopy(tx, published, { draft, arrival })
    if (replaced) orphaned.push(...replaced)
    else {
      fresh.push(arrival)
      draftIdOf.set(arrival, draft.id)
    }
    await settlePublished(tx, draft.id, published.nowMs)
  }
  return { fresh, draftIdOf, orphaned }
}

const isOnTheWay = (
  { publishedRevision, appendingRevision }: Draft,
  revision: number | undefined,
): revision is number =>
  revision !== undefined &&
  revision > (publishedRevision ?? 0) &&
  revision <= (appendingRevision ?? 0)

/**
 * By their Message-IDs. Only what is marked as a draft, or is among drafts on a server that keeps no such marks, is
 * looked up: a first sync has other things to do.
 */
async function draftsOnTheWay(
  tx: Tx,
  { accountId, folder, arrivals }: Published,
): Promise<Map<string, Draft & { readonly accountId: number }>> {
  const ids = arrivals.flatMap(({ fetched: { flags, gmailLabels = [] }, digest }) =>
    folder.isDrafts || [...flags, ...gmailLabels].includes('\\Draft')
      ? (digest.messageIdHeader ?? [])
      : [],
  )
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(drafts)
    .where(
      and(
        inArray(drafts.messageIdHeader, ids),
        eq(drafts.accountId, accountId),
        isNotNull(drafts.appendingRevision),
      ),
    )
  return new Map(rows.map((draft) => [draft.messageIdHeader, { ...draft, accountId }]))
}

/** The hashes of sources that are no longer needed; undefined where the draft had no copy before. */
async function replaceCopy(
  tx: Tx,
  { folder, contentIdOf, nowMs }: Published,
  { draft, arrival }: { readonly draft: Draft; readonly arrival: Arrival },
): Promise<readonly string[] | undefined> {
  const copies = await tx
    .select()
    .from(messages)
    .where(eq(messages.draftId, draft.id))
    .orderBy(asc(messages.id))
  const row = copies.at(-1)
  if (!row) return undefined
  for (const copy of copies) await expungeLater(tx, copy, nowMs)
  const pending = await pendingChanges(tx, [row.id])
  await adopt(tx, folder, { row, arrival, pending: pending.get(row.id) })
  const { internalDateMs: internalDate } = arrival.fetched
  const date = messageDate(arrival.digest.dateHeaderMs, internalDate)
  await tx
    .update(messages)
    .set({ contentId: contentIdOf(arrival), date, internalDate, draftId: draft.id })
    .where(eq(messages.id, row.id))
  const others = copies.slice(0, -1).map(({ id }) => id)
  await tx.delete(messages).where(inArray(messages.id, others))
  return removeOrphanedContents(
    tx,
    copies.map(({ contentId }) => contentId),
  )
}
