import { and, asc, desc, eq, exists, gt, inArray, sql } from 'drizzle-orm'
import type { Reader } from '../../../db/client.ts'
import { type Address, contents } from '../../../db/schema/contents.ts'
import { correspondents, correspondentWords } from '../../../db/schema/correspondents.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { preparedPer } from '../../prepared.ts'
import { type AddressPart, newestMail } from './newest-mail.ts'
import { rarestWord } from './rarest-word.ts'
import type { Typed } from './typed-words.ts'
import { wordRange } from './word-range.ts'

/** Of those found so many more are looked at than wanted: some may stand in no mail any more. */
const LOOKED_AT_SHARE = 3

/** The addresses that are meant and stand in mail, as authors or as those who may be written to; most used first. */
export async function suggestAddresses(
  { store: { longRead } }: Needs<'store'>,
  part: AddressPart,
  { words, limit }: Typed,
): Promise<readonly Address[]> {
  const rarest = await rarestWord(longRead, words)
  const query = meant(longRead, { part, words: words.length, rarest })
  const rows = await query.all({ ...rangesOf(words), rows: limit * LOOKED_AT_SHARE })
  // Only where the newest has gone the index is asked, which takes longer.
  const doubted = rows.filter(({ isInMail }) => !isInMail).map(({ key }) => key)
  const found = await newestMail(longRead, part, doubted)
  return rows
    .filter(({ key, isInMail }) => isInMail || found.has(key))
    .slice(0, limit)
    .map(({ name, address }) => ({ ...(name !== null && { name }), address }))
}

const COLUMNS = {
  sender: { score: correspondents.senderScore, contentId: correspondents.senderContentId },
  recipient: { score: correspondents.recipientScore, contentId: correspondents.recipientContentId },
} as const satisfies Readonly<Record<AddressPart, unknown>>

interface Shape {
  readonly part: AddressPart
  /** How many words were typed. */
  readonly words: number
  /** The place of the one by which those meant are found, where it leads to few; else they are met by their scores. */
  readonly rarest: number | undefined
}

const meant = preparedPer(
  ({ part, words, rarest }: Shape) => `${part} ${words} ${rarest}`,
  (read, { part, words, rarest }) => {
    const { key, address, name } = correspondents
    const { score, contentId } = COLUMNS[part]
    const isInMail = sql<
      0 | 1
    >`exists (select 1 from ${contents} where ${contents.id} = ${contentId})`
    const areMeant = Array.from({ length: words }, (_, place) =>
      place === rarest ? isAmong(read, place) : hasWord(read, place),
    )
    return (
      read
        .select({ key, address, name, isInMail })
        .from(correspondents)
        .where(and(gt(score, 0), ...areMeant))
        // SQLite takes the index of a column that stands by itself.
        .orderBy(rarest === undefined ? desc(score) : sql`+${score} desc`, asc(correspondents.id))
        .limit(sql.placeholder('rows'))
        .prepare()
    )
  },
)

const { word, correspondentId } = correspondentWords

const isInRange = (place: number) =>
  sql`${word} >= ${sql.placeholder(`from${place}`)} and ${word} < ${sql.placeholder(`below${place}`)}`

const isAmong = (read: Reader, place: number) =>
  inArray(
    correspondents.id,
    read.select({ id: correspondentId }).from(correspondentWords).where(isInRange(place)),
  )

const hasWord = (read: Reader, place: number) =>
  exists(
    read
      .select({ word })
      .from(correspondentWords)
      .where(and(eq(correspondentId, correspondents.id), isInRange(place))),
  )

/** The values of `isInRange`. */
const rangesOf = (words: readonly string[]) =>
  Object.fromEntries(
    words.flatMap((beginning, place) => {
      const { from, below } = wordRange(beginning)
      return [
        [`from${place}`, from],
        [`below${place}`, below],
      ]
    }),
  )
