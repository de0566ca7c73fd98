import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { threads } from '../../db/schema/threads.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'

/**
 * The thread that one was joined to, over however many steps, or itself; undefined where there is none. It follows
 * `joinedTo`, which always points to an older thread and so ends.
 */
export async function survivingThread(
  ctx: Needs<'store'>,
  threadId: number,
): Promise<number | undefined> {
  let current = threadId
  for (;;) {
    const [thread] = await ctx.store.read
      .select({ joinedTo: threads.joinedTo })
      .from(threads)
      .innerJoin(accounts, eq(accounts.id, threads.accountId))
      .where(and(eq(threads.id, current), isNotRemoved))
    if (!thread) return undefined
    if (thread.joinedTo === null || thread.joinedTo >= current) return current
    current = thread.joinedTo
  }
}
