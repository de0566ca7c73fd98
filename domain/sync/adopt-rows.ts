import { and, asc, eq, inArray, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { confirmMove } from '../mailbox-changes/confirm-move.ts'
import { type PendingChange, pendingChanges } from '../mailbox-changes/pending.ts'
import type { MailEvent } from '../events/mail-event.ts'
import { type Arrival, type ArrivalFolder, confirmed } from './arrival.ts'
import { externalChanges } from './external-changes.ts'
import type { Lease } from './lease.ts'
import { SHOWN_AND_CONFIRMED, shownAfterServer } from './shown-and-confirmed.ts'

/**
 * Gives arrivals to the rows of the same X-GM-MSGID, wherever these were held: Gmail has each message once. Returns
 * those that are new.
 */
export async function adoptMoved(
  tx: Tx,
  lease: Lease,
  { folder, arrivals, tell }: { folder: ArrivalFolder; arrivals: readonly Arrival[]; tell: Tell },
): Promise<readonly Arrival[]> {
  const emailIds = arrivals.flatMap(({ fetched: { emailId } }) => emailId ?? [])
  const rows = await tx
    .select({ ...SHOWN_AND_CONFIRMED, emailId: messages.emailId })
    .from(messages)
    .where(
      and(
        eq(messages.accountId, lease.accountId),
        inArray(messages.emailId, emailIds),
        isNotNull(messages.serverLabels),
      ),
    )
  const byEmailId = new Map(rows.map((row) => [row.emailId, row]))
  const pending = await pendingChanges(tx, ids(rows))
  const fresh: Arrival[] = []
  for (const arrival of arrivals) {
    const row = byEmailId.get(arrival.fetched.emailId ?? null)
    if (!row) {
      fresh.push(arrival)
      continue
    }
    await tell(await adopt(tx, folder, { row, arrival, pending: pending.get(row.id) }))
  }
  return fresh
}

/** Tells of what others changed, where it is news. */
type Tell = (seen: readonly MailEvent[]) => Promise<void>

interface Adoption {
  readonly row: Parameters<typeof shownAfterServer>[0]['row'] & { readonly id: number }
  readonly arrival: Arrival
  readonly pending: PendingChange | undefined
}

/** Makes the arrival what the server has of the row; what others changed of it meanwhile. */
export async function adopt(
  tx: Tx,
  folder: ArrivalFolder,
  { row, arrival, pending }: Adoption,
): Promise<readonly MailEvent[]> {
  const shown = shownAfterServer({ row, fetched: arrival.fetched, pending }, folder)
  await tx
    .update(messages)
    .set({ ...confirmed(folder, arrival), ...shown })
    .where(eq(messages.id, row.id))
  return externalChanges(row, shown)
}

interface Adoptable {
  readonly arrivals: readonly Arrival[]
  readonly contentIdOf: (arrival: Arrival) => number
}

/**
 * Gives arrivals to the rows of the same content that a UIDVALIDITY change left without a UID, in UID order. Returns
 * those that are new.
 */
export async function adoptUnconfirmed(
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
  const pending = await pendingChanges(tx, ids(orphans))
  const fresh: Arrival[] = []
  for (const arrival of arrivals.toSorted((a, b) => a.fetched.uid - b.fetched.uid)) {
    const index = orphans.findIndex(({ contentId }) => contentId === contentIdOf(arrival))
    const [orphan] = index < 0 ? [] : orphans.splice(index, 1)
    if (!orphan) {
      fresh.push(arrival)
      continue
    }
    await adopt(tx, folder, { row: orphan, arrival, pending: pending.get(orphan.id) })
  }
  return fresh
}

/**
 * Gives arrivals to the rows of the same content that the server was asked to move here: it may have done so before
 * it could say where they are (without UIDPLUS it never does). Returns those that are new.
 */
export async function adoptStartedMoves(
  tx: Tx,
  folder: ArrivalFolder,
  {
    arrivals,
    contentIdOf,
    nowMs,
    tell,
  }: Adoptable & { readonly nowMs: number; readonly tell: Tell },
): Promise<readonly Arrival[]> {
  const moving = await tx
    .select({ ...SHOWN_AND_CONFIRMED, changeId: mailboxChanges.id, change: mailboxChanges.change })
    .from(mailboxChanges)
    .innerJoin(messages, eq(messages.id, mailboxChanges.messageId))
    .where(
      and(
        isNotNull(mailboxChanges.startedAt),
        inArray(messages.contentId, arrivals.map(contentIdOf)),
        or(isNull(messages.serverFolderId), ne(messages.serverFolderId, folder.id)),
      ),
    )
    .orderBy(asc(mailboxChanges.id))
  const here = moving.filter(({ change }) => 'folderId' in change && change.folderId === folder.id)
  if (here.length === 0) return arrivals
  const pending = await pendingChanges(tx, ids(here))
  const fresh: Arrival[] = []
  for (const arrival of arrivals) {
    const index = here.findIndex(({ contentId }) => contentId === contentIdOf(arrival))
    const [row] = index < 0 ? [] : here.splice(index, 1)
    if (!row) {
      fresh.push(arrival)
      continue
    }
    const { uid } = arrival.fetched
    const place = { folderId: folder.id, uidValidity: String(folder.uidValidity), uid }
    const change = { id: row.changeId, messageId: row.id }
    await confirmMove(tx, { change, place, isOriginalLeft: true, nowMs })
    await tell(await adopt(tx, folder, { row, arrival, pending: pending.get(row.id) }))
  }
  return fresh
}

const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
