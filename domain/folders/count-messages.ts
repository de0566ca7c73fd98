import { sum } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** How many messages all folders of all accounts hold. */
export async function countMessages({ store }: Needs<'store'>): Promise<number> {
  const [row] = await store.read.select({ messages: sum(folders.total) }).from(folders)
  return Number(row?.messages ?? 0)
}
