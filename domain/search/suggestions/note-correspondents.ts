import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client.ts'
import { accounts } from '../../../db/schema/accounts.ts'
import { correspondents, correspondentWords } from '../../../db/schema/correspondents.ts'
import { fold } from '../fold.ts'
import { wordsOf } from './typed-words.ts'
import { type Correspondence, type UsedAddress, usedAddresses } from './used-addresses.ts'

/** Adds the addresses of messages to the correspondents, so that they are suggested. */
export async function noteCorrespondents(
  tx: Tx,
  messages: readonly Correspondence[],
  nowMs: number,
): Promise<void> {
  if (messages.length === 0) return
  const owners = await tx.select({ email: accounts.email }).from(accounts)
  const ownKeys = new Set(owners.map(({ email }) => fold(email)))
  const noted = new Map<string, Noted>()
  for (const message of messages)
    for (const used of usedAddresses(message, { ownKeys, nowMs }))
      noted.set(used.key, sumOf(noted.get(used.key), used, message))
  if (noted.size === 0) return
  const named = await newlyNamed(tx, noted)
  await addScores(tx, noted)
  await storeWords(tx, named)
}

interface Noted extends UsedAddress {
  /** The date of the message that has the name: milliseconds UTC. */
  readonly namedAt?: number
  readonly senderContentId?: number | undefined
  readonly recipientContentId: number
}

function sumOf(
  before: Noted | undefined,
  used: UsedAddress,
  { id, dateMs }: Correspondence,
): Noted {
  const isNewer = used.name !== undefined && dateMs >= (before?.namedAt ?? -Infinity)
  const sender = [before?.senderContentId, used.senderScore > 0 ? id : undefined]
  return {
    ...(before ?? used),
    ...(isNewer && { name: used.name, namedAt: dateMs }),
    senderScore: (before?.senderScore ?? 0) + used.senderScore,
    recipientScore: (before?.recipientScore ?? 0) + used.recipientScore,
    senderContentId: greatest(sender),
    recipientContentId: Math.max(before?.recipientContentId ?? 0, id),
  }
}

function greatest(ids: readonly (number | undefined)[]): number | undefined {
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Those that are not stored yet, or not under a name as new as theirs. */
async function newlyNamed(tx: Tx, noted: ReadonlyMap<string, Noted>): Promise<readonly Noted[]> {
  const keys = JSON.stringify([...noted.keys()])
  const rows = await tx
    .select({ key: correspondents.key, name: correspondents.name, namedAt: correspondents.namedAt })
    .from(correspondents)
    .where(sql`${correspondents.key} in (select value from json_each(${keys}))`)
  const known = new Map(rows.map((row) => [row.key, row]))
  return [...noted.values()].filter(({ key, name, namedAt = -Infinity }) => {
    const before = known.get(key)
    const isNewer = namedAt >= (before?.namedAt ?? -Infinity)
    return !before || (name !== undefined && name !== before.name && isNewer)
  })
}

const isNewer = sql`excluded.named_at >= coalesce(${correspondents.namedAt}, excluded.named_at)`

async function addScores(tx: Tx, noted: ReadonlyMap<string, Noted>): Promise<void> {
  // The driver takes longer for the fields of many rows than the database does for the rows.
  const rows = [...noted.values()].map(({ name = null, namedAt = null, ...row }) => [
    row.key,
    row.address,
    name,
    namedAt,
    row.senderScore,
    row.recipientScore,
    row.senderContentId ?? null,
    row.recipientContentId,
  ])
  const { senderScore, recipientScore, senderContentId, recipientContentId } = correspondents
  await tx
    .insert(correspondents)
    // Without a condition the ON of the upsert would be that of a join.
    .select(
      sql`select null, ${fields(8)} from json_each(${JSON.stringify(rows)}) where true order by 2`,
    )
    .onConflictDoUpdate({
      target: correspondents.key,
      set: {
        name: sql`iif(${isNewer}, excluded.name, ${correspondents.name})`,
        namedAt: sql`iif(${isNewer}, excluded.named_at, ${correspondents.namedAt})`,
        senderScore: sql`${senderScore} + excluded.sender_score`,
        recipientScore: sql`${recipientScore} + excluded.recipient_score`,
        senderContentId: sql`nullif(max(coalesce(${senderContentId}, 0), coalesce(excluded.sender_content_id, 0)), 0)`,
        recipientContentId: sql`max(${recipientContentId}, excluded.recipient_content_id)`,
      },
    })
}

/** The words of those whose names are new, in place of what they had. */
async function storeWords(tx: Tx, named: readonly Noted[]): Promise<void> {
  if (named.length === 0) return
  const keys = JSON.stringify(named.map(({ key }) => key))
  const rows = await tx
    .select({ id: correspondents.id, key: correspondents.key, name: correspondents.name })
    .from(correspondents)
    .where(sql`${correspondents.key} in (select value from json_each(${keys}))`)
  const ids = rows.map(({ id }) => id)
  await tx.delete(correspondentWords).where(inArray(correspondentWords.correspondentId, ids))
  const words = rows.flatMap(({ id, key, name }) =>
    wordsOf(`${name ?? ''} ${key}`).map((word) => [word, id] as const),
  )
  await tx
    .insert(correspondentWords)
    .select(sql`select ${fields(2)} from json_each(${JSON.stringify(words)})`)
}

/** So many fields of a JSON array. */
const fields = (count: number) =>
  sql.join(
    Array.from({ length: count }, (_, place) => sql`value ->> ${sql.raw(String(place))}`),
    sql`, `,
  )
