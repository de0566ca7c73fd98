import { eq, inArray } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { FlagChange } from './diff-folder.ts'
import { type Lease, underLease } from './lease.ts'
import { type HoldingFolder, SHOWN_AND_CONFIRMED, shownAfterServer } from './shown-and-confirmed.ts'

/** Few enough that the transaction stays under 20 ms. */
const ROWS_PER_TRANSACTION = 100

/** Confirms the flags and labels that the server reports of messages in `folder`, and shows what it changed. */
export async function applyFlagChanges(
  ctx: Needs<'store'>,
  lease: Lease,
  { folder, changes }: { folder: HoldingFolder; changes: readonly FlagChange[] },
): Promise<void> {
  for (let start = 0; start < changes.length; start += ROWS_PER_TRANSACTION) {
    const byId = new Map(
      changes.slice(start, start + ROWS_PER_TRANSACTION).map((change) => [change.id, change]),
    )
    await underLease(ctx, lease, async (tx) => {
      const rows = await tx
        .select(SHOWN_AND_CONFIRMED)
        .from(messages)
        .where(inArray(messages.id, [...byId.keys()]))
      for (const row of rows) {
        const change = byId.get(row.id)
        if (!change) continue
        await tx
          .update(messages)
          .set({
            serverFlags: change.flags,
            modseq: change.modseq === undefined ? null : String(change.modseq),
            serverLabels: change.gmailLabels ?? null,
            ...shownAfterServer(row, change, folder),
          })
          .where(eq(messages.id, row.id))
      }
    })
  }
}
