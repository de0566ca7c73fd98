import type { Tx } from '../../db/client.ts'
import {
  type FlagsChange,
  type FolderChange,
  mailboxChanges,
  type Original,
} from '../../db/schema/mailbox-changes.ts'

/** A change made here, to be made on the server. */
export type QueuedChange = { readonly accountId: number } & (
  | { readonly kind: 'flags'; readonly messageId: number; readonly change: FlagsChange }
  | { readonly kind: 'move'; readonly messageId: number; readonly change: FolderChange }
  | { readonly kind: 'create_folder'; readonly change: FolderChange }
  | { readonly kind: 'expunge'; readonly change: Original }
)

/** Few enough for one statement. */
const ROWS_AT_ONCE = 500

/** Queues changes in this order, in the transaction that shows them. `nowMs` is milliseconds UTC. */
export async function queueMailboxChanges(
  tx: Tx,
  nowMs: number,
  changes: readonly QueuedChange[],
): Promise<void> {
  const rows = changes.map((change) => ({ ...change, nextAttemptAt: nowMs, createdAt: nowMs }))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await tx.insert(mailboxChanges).values(rows.slice(start, start + ROWS_AT_ONCE))
}
