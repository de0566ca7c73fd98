import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { leftBehind } from '../../db/schema/left-behind.ts'
import { mailboxChanges, type Original } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { queueMailboxChanges } from './queue.ts'

export interface ConfirmedMove {
  readonly change: { readonly id: number; readonly messageId: number }
  /** Where the message is now. */
  readonly place: Original
  /** Whether the original may still be there: after a MOVE it is not. */
  readonly isOriginalLeft: boolean
  /** Whether the message is where it is meant to be; else its change goes on from there. */
  readonly isComplete?: boolean
  readonly nowMs: number
}

/**
 * Remembers where the server has a message that was moved here, and that its original has to go where one is left:
 * to expunge a UID that is gone harms nobody.
 */
export async function confirmMove(
  tx: Tx,
  { change, place, isOriginalLeft, isComplete = true, nowMs }: ConfirmedMove,
): Promise<void> {
  const isChange = eq(mailboxChanges.id, change.id)
  const [pending] = await tx.select().from(mailboxChanges).where(isChange)
  // A sync may have found the message first, and the original of that time is seen to.
  if (!pending) return
  if (isComplete) await tx.delete(mailboxChanges).where(isChange)
  const [before] = await tx.select().from(messages).where(eq(messages.id, change.messageId))
  if (!before) return
  const { folderId: serverFolderId, uid, uidValidity } = place
  await tx
    .update(messages)
    .set({ serverFolderId, uid, uidValidity, modseq: null })
    .where(eq(messages.id, before.id))
  const original = isOriginalLeft ? originalOf(before) : undefined
  if (!original) return
  await tx
    .insert(leftBehind)
    .values({ folderId: original.folderId, uid: original.uid })
    .onConflictDoNothing()
  await queueMailboxChanges(tx, nowMs, [
    { accountId: before.accountId, kind: 'expunge', change: original },
  ])
}

function originalOf({
  serverFolderId,
  uid,
  uidValidity,
}: typeof messages.$inferSelect): Original | undefined {
  if (serverFolderId === null || uid === null || uidValidity === null) return undefined
  return { folderId: serverFolderId, uid, uidValidity }
}
