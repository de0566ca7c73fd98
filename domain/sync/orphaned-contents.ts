import { and, eq, inArray, notExists } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/**
 * Removes those of the contents that no message has any more, their bodies and index entries with them; returns the
 * hashes of their sources, to be forgotten after the commit.
 */
export async function removeOrphanedContents(
  tx: Tx,
  contentIds: readonly number[],
): Promise<readonly string[]> {
  const sharing = tx
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.contentId, contents.id))
  const removed = await tx
    .delete(contents)
    .where(and(inArray(contents.id, [...contentIds]), notExists(sharing)))
    .returning({ sourceHash: contents.sourceHash })
  return removed.map(({ sourceHash }) => sourceHash)
}

/** Removes these sources from the SourceStore, but for those that have come in again meanwhile. */
export async function forgetSources(
  { store, sourceStore }: Needs<'store' | 'sourceStore'>,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const kept = await store.read
    .select({ sourceHash: contents.sourceHash })
    .from(contents)
    .where(inArray(contents.sourceHash, [...hashes]))
  const keptHashes = new Set(kept.map(({ sourceHash }) => sourceHash))
  for (const hash of hashes) if (!keptHashes.has(hash)) await sourceStore.delete(hash)
}
