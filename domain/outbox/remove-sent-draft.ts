import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { drafts } from '../../db/schema/drafts.ts'

/** Removes the draft that has been sent, with what is attached to it. */
export async function removeSentDraft(tx: Tx, draftId: number): Promise<void> {
  await tx.delete(drafts).where(eq(drafts.id, draftId))
}
