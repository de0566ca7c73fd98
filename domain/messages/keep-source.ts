import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { and, eq } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { StorageError } from '../../runtime/ports/storage-error.ts'

/** A source that was fetched again. */
interface RefetchedSource {
  /** The hash that was asked for. */
  readonly sourceHash: string
  readonly source: Uint8Array
}

/**
 * Keeps it and says so in the store; false, and nothing is said, when the bytes are others than once. Where the disk
 * refuses, they are not kept, and whoever waits for them reads them all the same.
 */
export async function keepSource(
  ctx: Needs<'store' | 'sourceStore'>,
  { sourceHash, source }: RefetchedSource,
): Promise<boolean> {
  try {
    if ((await ctx.sourceStore.put(source)) !== sourceHash) return false
    await sayKept(ctx, sourceHash)
    return true
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return bytesToHex(sha256(source)) === sourceHash
  }
}

const sayKept = ({ store }: Needs<'store'>, sourceHash: string) =>
  store.transaction((tx) =>
    tx
      .update(contents)
      .set({ sourceKept: true })
      .where(and(eq(contents.sourceHash, sourceHash), eq(contents.sourceKept, false))),
  )
