import { and, eq, gt, min, sql } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { prepared } from '../prepared.ts'
import { isOpen } from './open.ts'

const nextAfter = prepared((read) =>
  read
    .select({ at: min(outbox.nextAttemptAt) })
    .from(outbox)
    .where(
      and(
        isOpen,
        eq(outbox.status, 'scheduled'),
        gt(outbox.nextAttemptAt, sql.placeholder('nowMs')),
      ),
    )
    .prepare(),
)

/** When the next entry that is not due yet will be; milliseconds UTC, undefined when there is none. */
export async function nextDueMs({
  store,
  clock,
}: Needs<'store' | 'clock'>): Promise<number | undefined> {
  const [row] = await nextAfter(store.read).all({ nowMs: clock.now().getTime() })
  return row?.at ?? undefined
}
