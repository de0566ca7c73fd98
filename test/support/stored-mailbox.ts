import { eq } from 'drizzle-orm'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { labelOf } from '../../domain/messages/keyword.ts'
import type { Store } from '../../runtime/ports/store.ts'
import type { ServerFolder } from '../lab/raw-imap.ts'

/** What the store holds of its one account, in the shape in which the lab reads a server. */
export async function storedMailbox(store: Store): Promise<Readonly<Record<string, ServerFolder>>> {
  const rows = await store.read
    .select({
      folderId: messages.folderId,
      uid: messages.uid,
      flags: messages.serverFlags,
      sourceHash: contents.sourceHash,
      read: messages.read,
      starred: messages.starred,
      labels: messages.labels,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .orderBy(messages.uid)
  for (const { flags, read, starred, labels } of rows) {
    const isShown =
      read === flags.includes('\\Seen') &&
      starred === flags.includes('\\Flagged') &&
      flags.every((flag) => /^[\\$]|^(non)?junk$/i.test(flag) || labels.includes(labelOf(flag)))
    if (!isShown) throw new Error(`Shown otherwise than confirmed: ${flags.join(' ')}`)
  }
  const known = await store.read.select().from(folders)
  return Object.fromEntries(
    known
      .filter(({ id, selectable }) => selectable || rows.some(({ folderId }) => folderId === id))
      .map(({ id, path, uidValidity }) => [
        path,
        {
          uidValidity: uidValidity ?? '',
          messages: rows
            .filter(({ folderId }) => folderId === id)
            .map(({ uid, flags, sourceHash }) => ({
              uid: uid ?? 0,
              flags,
              sourceHash,
            })),
        },
      ]),
  )
}
