import { and, asc, lt } from 'drizzle-orm'
import { attachmentData } from '../../db/schema/attachment-data.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isUnnamed, removeData } from './discard-data.ts'

/** Far longer than it takes to name what was stored. */
const UNNAMED_MS = 60 * 60_000
const LOOKED_AT = 100

/** Removes bytes of attachments that nothing names, an hour after they were stored; ends early when `signal` aborts. */
export async function sweepAttachmentData(
  ctx: Needs<'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = ctx
  const isOver = lt(attachmentData.createdAt, clock.now().getTime() - UNNAMED_MS)
  for (;;) {
    const unnamed = await store.read
      .select({ id: attachmentData.id })
      .from(attachmentData)
      .where(and(isOver, isUnnamed(ctx)))
      .orderBy(asc(attachmentData.createdAt))
      .limit(LOOKED_AT)
    if (unnamed.length === 0) return
    for (const { id } of unnamed) {
      if (signal.aborted) return
      await removeData(ctx, id, signal)
    }
  }
}
