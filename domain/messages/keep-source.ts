import { and, eq } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'
import { forgetSources } from '../sync/orphaned-contents.ts'
import { sourceHashOf } from '../sources/source-hash.ts'

/** A source that was fetched again. */
interface RefetchedSource {
  /** The hash that was asked for. */
  readonly sourceHash: string
  readonly source: Uint8Array
}

/**
 * Keeps it and says so in the store; false, and nothing is kept, when the bytes are others than once. Where the disk
 * refuses, they are not kept, and whoever waits for them reads them all the same.
 */
export async function keepSource(
  ctx: Needs<'store' | 'sourceStore'>,
  { sourceHash, source }: RefetchedSource,
): Promise<boolean> {
  if (sourceHashOf(source) !== sourceHash) return false
  await unlessRefused(async () => {
    await ctx.sourceStore.put(source)
    await sayKept(ctx, sourceHash)
    // Its last message may have gone meanwhile.
    await forgetSources(ctx, [sourceHash])
  })
  return true
}

/** A source that is here. The store hears of it where it believes otherwise. */
export async function keptSource(
  ctx: Needs<'store' | 'sourceStore'>,
  sourceHash: string,
): Promise<Uint8Array | undefined> {
  const kept = await ctx.sourceStore.get(sourceHash)
  if (kept) await unlessRefused(() => sayKept(ctx, sourceHash))
  return kept
}

/** Nothing is written where it is known. */
async function sayKept({ store }: Needs<'store'>, sourceHash: string): Promise<void> {
  const isMissing = and(eq(contents.sourceHash, sourceHash), eq(contents.sourceKept, false))
  const missing = await store.read.select({ id: contents.id }).from(contents).where(isMissing)
  if (missing.length === 0) return
  await store.transaction((tx) => tx.update(contents).set({ sourceKept: true }).where(isMissing))
}

/** A disk that refuses keeps nobody from reading. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}
