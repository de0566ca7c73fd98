import { and, eq } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** A source that was fetched again. */
interface RefetchedSource {
  /** The hash that was asked for. */
  readonly sourceHash: string
  readonly source: Uint8Array
}

/** Keeps it and says so in the store; false, and nothing is said, when the bytes are others than once. */
export async function keepSource(
  { store, sourceStore }: Needs<'store' | 'sourceStore'>,
  { sourceHash, source }: RefetchedSource,
): Promise<boolean> {
  if ((await sourceStore.put(source)) !== sourceHash) return false
  await store.transaction((tx) =>
    tx
      .update(contents)
      .set({ sourceKept: true })
      .where(and(eq(contents.sourceHash, sourceHash), eq(contents.sourceKept, false))),
  )
  return true
}
