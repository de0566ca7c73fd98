import { and, asc, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import {
  attachmentChunks,
  attachmentData,
  outgoingAttachments,
} from '../../db/schema/attachment-data.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Far longer than it takes to name what was stored. */
const UNNAMED_MS = 60 * 60_000
const LOOKED_AT = 100
/** A megabyte: little enough that the transaction stays under 20 ms. */
const CHUNKS_PER_TRANSACTION = 4

/** Removes bytes of attachments that nothing names, an hour after they were stored; ends early when `signal` aborts. */
export async function sweepAttachmentData(
  ctx: Needs<'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = ctx
  const naming = store.read
    .select({ one: sql`1` })
    .from(outgoingAttachments)
    .where(eq(outgoingAttachments.dataId, attachmentData.id))
  const isUnnamed = and(
    lt(attachmentData.createdAt, clock.now().getTime() - UNNAMED_MS),
    notExists(naming),
  )
  for (;;) {
    const unnamed = await store.read
      .select({ id: attachmentData.id })
      .from(attachmentData)
      .where(isUnnamed)
      .orderBy(asc(attachmentData.createdAt))
      .limit(LOOKED_AT)
    if (unnamed.length === 0) return
    for (const { id } of unnamed) {
      if (signal.aborted) return
      await removeData(ctx, id, signal)
    }
  }
}

/** Its bytes first: what is cut off is gone on with. */
async function removeData(ctx: Needs<'store'>, id: string, signal: AbortSignal): Promise<void> {
  while (await removeChunks(ctx, id)) if (signal.aborted) return
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
