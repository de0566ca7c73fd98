import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'

/** Forgets what was attached to an entry that nobody renders any more; housekeeping removes the bytes. */
export async function removeAttachments(tx: Tx, outboxId: number): Promise<void> {
  await tx.delete(outgoingAttachments).where(eq(outgoingAttachments.outboxId, outboxId))
}
