import { eq, inArray } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MailEvent } from '../events/mail-event.ts'
import { pendingChanges } from '../mailbox-changes/pending.ts'
import type { FlagChange } from './diff-folder.ts'
import { externalChanges } from './external-changes.ts'
import { type Lease, unitUnderLease } from './lease.ts'
import { type HoldingFolder, SHOWN_AND_CONFIRMED, shownAfterServer } from './shown-and-confirmed.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 100

/** What a sync found changed in a folder. */
export interface FlagChanges {
  readonly folder: HoldingFolder
  readonly changes: readonly FlagChange[]
  /** Whether it is news. */
  readonly isTold: boolean
}

/** Confirms the flags and labels that the server reports, and shows what it changed. */
export async function applyFlagChanges(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
  { folder, changes, isTold }: FlagChanges,
): Promise<void> {
  for (let start = 0; start < changes.length; start += ROWS_PER_TRANSACTION) {
    const byId = new Map(
      changes.slice(start, start + ROWS_PER_TRANSACTION).map((change) => [change.id, change]),
    )
    await unitUnderLease(ctx, lease, async ({ tx, emit, hasSyncedOnce }) => {
      const seen: MailEvent[] = []
      const rows = await tx
        .select(SHOWN_AND_CONFIRMED)
        .from(messages)
        .where(inArray(messages.id, [...byId.keys()]))
      const pending = await pendingChanges(tx, [...byId.keys()])
      for (const row of rows) {
        const change = byId.get(row.id)
        // One that was moved here meanwhile has other flags now.
        if (!change || row.serverFolderId !== folder.id || row.uid !== change.uid) continue
        const shown = shownAfterServer(
          { row, fetched: change, pending: pending.get(row.id) },
          folder,
        )
        await tx
          .update(messages)
          .set({
            serverFlags: change.flags,
            modseq: change.modseq === undefined ? null : String(change.modseq),
            serverLabels: change.gmailLabels ?? null,
            ...shown,
          })
          .where(eq(messages.id, row.id))
        seen.push(...externalChanges(row, shown))
      }
      if (isTold && hasSyncedOnce) await emit(seen)
    })
  }
}
