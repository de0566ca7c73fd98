import { count, desc, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../../../db/client.ts'
import { contents } from '../../../db/schema/contents.ts'
import { unnotedContents } from '../../../db/schema/correspondents.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { secondOfRowid } from '../search-rowid.ts'
import { noteCorrespondents } from './note-correspondents.ts'

/** So that a transaction takes some milliseconds. */
const CONTENTS_AT_ONCE = 200

/**
 * Adds the addresses of the newest contents that are not noted yet to the correspondents; returns how many contents are
 * left. Several processes may do it at once: each content counts once.
 */
export async function noteNextCorrespondents({
  store,
  clock,
}: Needs<'store' | 'clock'>): Promise<number> {
  const rows = await store.read
    .select({ contentId: unnotedContents.contentId })
    .from(unnotedContents)
    .orderBy(desc(unnotedContents.contentId))
    .limit(CONTENTS_AT_ONCE)
  const ids = rows.map(({ contentId }) => contentId)
  if (ids.length === 0) return 0
  const known = await correspondence(store.read, ids)
  await store.transaction(async (tx) => {
    const taken = await tx
      .delete(unnotedContents)
      .where(inArray(unnotedContents.contentId, ids))
      .returning()
    const takenIds = new Set(taken.map(({ contentId }) => contentId))
    const ours = known.filter(({ id }) => takenIds.has(id))
    await noteCorrespondents(tx, ours, clock.now().getTime())
  })
  const [left] = await store.read.select({ contents: count() }).from(unnotedContents)
  return left?.contents ?? 0
}

/** Those of the contents that lie where whoever writes is somebody to suggest; whom a draft goes to is not settled. */
async function correspondence(read: Reader, ids: readonly number[]) {
  const { id, from, to, cc, bcc } = contents
  const rows = await read
    .select({ id, from, to, cc, bcc, specialUse: folders.specialUse })
    .from(contents)
    .innerJoin(messages, eq(messages.contentId, contents.id))
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .where(inArray(contents.id, [...ids]))
  return [...Map.groupBy(rows, (row) => row.id).values()].flatMap((places) => {
    const [known] = places.filter(({ specialUse }) => !UNKNOWN.has(specialUse))
    if (!known) return []
    const isSent = places.some(({ specialUse }) => specialUse === 'sent')
    return [{ ...known, dateMs: secondOfRowid(known.id), isSent }]
  })
}

const UNKNOWN: ReadonlySet<string | null> = new Set(['spam', 'trash', 'drafts'])
