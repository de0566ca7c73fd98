import type { Tx } from '../../db/client.ts'
import { notices } from '../../db/schema/notices.ts'

/** Leaves a notice for the owner, in the transaction that makes it true. */
export async function leaveNotice(
  tx: Tx,
  notice: Omit<typeof notices.$inferInsert, 'id'>,
): Promise<void> {
  await tx.insert(notices).values(notice)
}
