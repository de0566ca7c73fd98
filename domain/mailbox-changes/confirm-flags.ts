import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { FlagEdit } from '../../runtime/ports/mail-server.ts'
import { type Lease, underLease } from '../sync/lease.ts'

/** What a server has made of flag changes. */
export interface ConfirmedFlags {
  readonly changes: readonly { readonly id: number; readonly messageId: number }[]
  readonly flags: FlagEdit
  /** Of Gmail. */
  readonly labels: FlagEdit
}

/** Few enough that the transaction stays under 20 ms. */
const CONFIRMED_AT_ONCE = 50

/** Takes what the server was told for what it has, so that its echo is no news: of a few messages at a time. */
export async function confirmFlags(
  ctx: Needs<'store'>,
  lease: Lease,
  { changes, ...edits }: ConfirmedFlags,
): Promise<void> {
  for (let start = 0; start < changes.length; start += CONFIRMED_AT_ONCE) {
    const some = changes.slice(start, start + CONFIRMED_AT_ONCE)
    await underLease(ctx, lease, (tx) => confirm(tx, { ...edits, changes: some }))
  }
}

async function confirm(tx: Tx, { changes, flags, labels }: ConfirmedFlags): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const messageIds = changes.map(({ messageId }) => messageId)
  const rows = await tx
    .select({
      id: messages.id,
      serverFlags: messages.serverFlags,
      serverLabels: messages.serverLabels,
    })
    .from(messages)
    .where(inArray(messages.id, messageIds))
  for (const { id, serverFlags, serverLabels } of rows) {
    await tx
      .update(messages)
      .set({
        serverFlags: edited(serverFlags, flags),
        serverLabels: serverLabels && edited(serverLabels, labels),
      })
      .where(eq(messages.id, id))
  }
  await tx.delete(mailboxChanges).where(inArray(mailboxChanges.id, ids))
}

const edited = (flags: readonly string[], { add = [], remove = [] }: FlagEdit) =>
  [...new Set([...flags, ...add])].filter((flag) => !remove.includes(flag)).toSorted()
