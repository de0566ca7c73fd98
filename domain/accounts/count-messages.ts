import { count, eq } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** How many messages the store holds of the account. */
export async function countMessages({ store }: Needs<'store'>, accountId: number): Promise<number> {
  const [row] = await store.read
    .select({ total: count() })
    .from(messages)
    .where(eq(messages.accountId, accountId))
  return row?.total ?? 0
}
