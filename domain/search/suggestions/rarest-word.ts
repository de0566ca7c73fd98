import { count, sql } from 'drizzle-orm'
import type { Reader } from '../../../db/client.ts'
import { correspondentWords } from '../../../db/schema/correspondents.ts'
import { prepared } from '../../prepared.ts'
import { wordRange } from './word-range.ts'

/** With more matches than this it is quicker to meet them among those that are used most. */
const FEW = 500

/** The place of the typed word that leads to the fewest correspondents; undefined where none leads to few. */
export async function rarestWord(
  read: Reader,
  words: readonly string[],
): Promise<number | undefined> {
  let rarest: number | undefined
  let fewest = FEW
  for (const [place, beginning] of words.entries()) {
    const [row] = await matches(read).all(wordRange(beginning))
    const found = row?.found ?? 0
    if (found <= fewest) [rarest, fewest] = [place, found]
  }
  return rarest
}

const matches = prepared((read) => {
  const { word } = correspondentWords
  const some = read
    .select({ word })
    .from(correspondentWords)
    .where(sql`${word} >= ${sql.placeholder('from')} and ${word} < ${sql.placeholder('below')}`)
    .limit(FEW + 1)
    .as('some')
  return read.select({ found: count() }).from(some).prepare()
})
