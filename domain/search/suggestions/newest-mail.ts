import { desc, sql } from 'drizzle-orm'
import type { Reader } from '../../../db/client.ts'
import { searchIndex } from '../../../db/search-index.ts'
import { prepared } from '../../prepared.ts'
import { indexText } from '../index-text.ts'

/** As what an address stands in mail: as its author, or anywhere in its header. */
export type AddressPart = 'sender' | 'recipient'

const COLUMNS: Readonly<Record<AddressPart, string>> = {
  sender: 'sender',
  recipient: '{sender recipients cc bcc}',
}

/** By the keys of addresses the newest stored contents that have them; nothing for those that stand in no mail. */
export async function newestMail(
  read: Reader,
  part: AddressPart,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map()
  const asked = keys.map((key) => [key, `${COLUMNS[part]} : "${indexText(key)}"`])
  const rows = await newest(read).all({ asked: JSON.stringify(asked) })
  return new Map(rows.flatMap(({ key, id }) => (id === null ? [] : [[key, id] as const])))
}

const newest = prepared((read) => {
  const matching = read
    .select({ id: searchIndex.rowid })
    .from(searchIndex)
    .where(sql`${searchIndex} match value ->> 1`)
    .orderBy(desc(searchIndex.rowid))
    .limit(1)
  return read
    .select({ key: sql<string>`value ->> 0`, id: sql<number | null>`(${matching})` })
    .from(sql`json_each(${sql.placeholder('asked')})`)
    .prepare()
})
