import { sql } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** The different lists of labels that messages have, each as the store writes it and as it is read. */
export async function readLabelLists({
  store,
}: Needs<'store'>): Promise<
  readonly { readonly list: string; readonly labels: readonly string[] }[]
> {
  const rows = await store.read.select({ list: sql<string>`list` }).from(LABEL_LISTS)
  return rows.map(({ list }) => ({ list, labels: JSON.parse(list) as string[] }))
}

/** Each list leads to the next in the index of labels: there are few of them, on many messages. */
const LABEL_LISTS = sql`(
  with recursive lists(list) as (
    select min(${messages.labels}) from ${messages} where ${messages.labels} <> '[]'
    union all
    select (
      select min(${messages.labels}) from ${messages} where ${messages.labels} <> '[]' and ${messages.labels} > list
    ) from lists where list is not null
  )
  select list from lists where list is not null
)`
