import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { messages } from '../../db/schema/messages.ts'
import { type Arrival, type ArrivalFolder, confirmed } from './arrival.ts'
import type { Lease } from './lease.ts'
import { SHOWN_AND_CONFIRMED, shownAfterServer } from './shown-and-confirmed.ts'

/**
 * Gives arrivals to the rows of the same X-GM-MSGID, wherever these were held: Gmail has each message once. Returns
 * those that are new.
 */
export async function adoptMoved(
  tx: Tx,
  lease: Lease,
  { folder, arrivals }: { folder: ArrivalFolder; arrivals: readonly Arrival[] },
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
  const fresh: Arrival[] = []
  for (const arrival of arrivals) {
    const row = byEmailId.get(arrival.fetched.emailId ?? null)
    if (!row) {
      fresh.push(arrival)
      continue
    }
    const shown = shownAfterServer(row, arrival.fetched, folder)
    await tx
      .update(messages)
      .set({ ...confirmed(folder, arrival), ...shown })
      .where(eq(messages.id, row.id))
  }
  return fresh
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
  const fresh: Arrival[] = []
  for (const arrival of arrivals.toSorted((a, b) => a.fetched.uid - b.fetched.uid)) {
    const index = orphans.findIndex(({ contentId }) => contentId === contentIdOf(arrival))
    const [orphan] = index < 0 ? [] : orphans.splice(index, 1)
    if (!orphan) {
      fresh.push(arrival)
      continue
    }
    const shown = shownAfterServer(orphan, arrival.fetched, folder)
    await tx
      .update(messages)
      .set({ ...confirmed(folder, arrival), ...shown })
      .where(eq(messages.id, orphan.id))
  }
  return fresh
}
