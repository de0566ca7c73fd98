import type { Tx } from '../../../db/client.ts'
import { contents } from '../../../db/schema/contents.ts'
import { correspondents, unnotedContents } from '../../../db/schema/correspondents.ts'

/** Forgets all correspondents and has them noted anew. */
export async function noteAnew(tx: Tx): Promise<void> {
  await tx.delete(correspondents)
  await tx.delete(unnotedContents)
  await tx.insert(unnotedContents).select(tx.select({ contentId: contents.id }).from(contents))
}
