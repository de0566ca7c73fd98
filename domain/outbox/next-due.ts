import { and, eq, gt, min } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isOpen } from './open.ts'

/** When the next entry that is not due yet will be; milliseconds UTC, undefined when there is none. */
export async function nextDueMs({
  store,
  clock,
}: Needs<'store' | 'clock'>): Promise<number | undefined> {
  const [row] = await store.read
    .select({ at: min(outbox.nextAttemptAt) })
    .from(outbox)
    .where(
      and(isOpen, eq(outbox.status, 'scheduled'), gt(outbox.nextAttemptAt, clock.now().getTime())),
    )
  return row?.at ?? undefined
}
