import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import {
  attachmentChunks,
  attachmentData,
  outgoingAttachments,
} from '../../db/schema/attachment-data.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** A megabyte: little enough that the transaction stays under 20 ms. */
const CHUNKS_PER_TRANSACTION = 4

/** Forgets at once those bytes among these that nothing was given. */
export async function discardData(ctx: Needs<'store'>, dataIds: readonly string[]): Promise<void> {
  if (dataIds.length === 0) return
  const unnamed = await ctx.store.read
    .select({ id: attachmentData.id })
    .from(attachmentData)
    .where(and(inArray(attachmentData.id, [...dataIds]), isUnnamed(ctx)))
  for (const { id } of unnamed) await removeData(ctx, id)
}

/** Whether neither a draft nor an outgoing message has it. */
export const isUnnamed = ({ store }: Needs<'store'>) =>
  notExists(
    store.read
      .select({ one: sql`1` })
      .from(outgoingAttachments)
      .where(eq(outgoingAttachments.dataId, attachmentData.id)),
  )

/** Removes its bytes first, in small transactions: what `signal` cuts off is gone on with another time. */
export async function removeData(
  ctx: Needs<'store'>,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  while (await removeChunks(ctx, id)) if (signal?.aborted) return
  await ctx.store.transaction((tx) => tx.delete(attachmentData).where(eq(attachmentData.id, id)))
}

/** Some of the bytes; whether there were any. */
async function removeChunks({ store }: Needs<'store'>, dataId: string): Promise<boolean> {
  const rows = await store.read
    .select({ position: attachmentChunks.position })
    .from(attachmentChunks)
    .where(eq(attachmentChunks.dataId, dataId))
    .limit(CHUNKS_PER_TRANSACTION)
  if (rows.length === 0) return false
  const positions = rows.map(({ position }) => position)
  await store.transaction((tx) =>
    tx
      .delete(attachmentChunks)
      .where(
        and(eq(attachmentChunks.dataId, dataId), inArray(attachmentChunks.position, positions)),
      ),
  )
  return true
}
