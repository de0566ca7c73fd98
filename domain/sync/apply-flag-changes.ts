import { eq, inArray } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MailEvent, MessageChange } from '../events/mail-event.ts'
import type { ShownFlags } from '../messages/flags.ts'
import type { FlagChange } from './diff-folder.ts'
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
      for (const row of rows) {
        const change = byId.get(row.id)
        if (!change) continue
        const shown = shownAfterServer(row, change, folder)
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

type ReadAndStarred = Pick<ShownFlags, 'read' | 'starred'>

/** Only these two are looked for in what others do (spec section 6, rule 1). */
function externalChanges(
  before: ReadAndStarred & { readonly id: number },
  after: ReadAndStarred,
): readonly MailEvent[] {
  const changes: MessageChange[] = []
  if (before.read !== after.read) changes.push(after.read ? 'read' : 'unread')
  if (before.starred !== after.starred) changes.push(after.starred ? 'starred' : 'unstarred')
  return changes.map((change) => ({
    kind: 'message.updated',
    messageId: before.id,
    change,
    origin: 'external',
  }))
}
