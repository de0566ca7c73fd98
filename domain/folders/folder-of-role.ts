import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'
import { queueMailboxChanges } from '../mailbox-changes/queue.ts'

/** The roles of folders that are made where an account has none (contract sections 3 and 4), with their usual names. */
const USUAL_NAMES = {
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Junk',
  trash: 'Trash',
} as const

export type MadeRole = keyof typeof USUAL_NAMES

/**
 * The id of the account's folder of this role. Where there is none it is made here at once, and its creation on the
 * server queued, before anything that is queued after it. `nowMs` is milliseconds UTC.
 */
export async function folderOfRole(
  tx: Tx,
  { accountId, role, nowMs }: { accountId: number; role: MadeRole; nowMs: number },
): Promise<number> {
  const known = await tx.select().from(folders).where(eq(folders.accountId, accountId))
  const existing = known.find(({ specialUse, selectable }) => specialUse === role && selectable)
  if (existing) return existing.id
  const shape = { specialUse: role, selectable: true, listed: false }
  const { path, delimiter } = usualPlace(known, USUAL_NAMES[role])
  const [made] = await tx
    .insert(folders)
    .values({ accountId, path, delimiter, ...shape })
    // A container of this name, which the server may well make a mailbox of.
    .onConflictDoUpdate({ target: [folders.accountId, folders.path], set: shape })
    .returning({ id: folders.id })
  if (!made) throw new Error('A folder that was just made cannot be found.')
  await queueMailboxChanges(tx, nowMs, [
    { accountId, kind: 'create_folder', change: { folderId: made.id } },
  ])
  return made.id
}

type Place = Pick<typeof folders.$inferSelect, 'path' | 'delimiter' | 'specialUse'>

/** Beside the account's other folders: below INBOX where all are. */
function usualPlace(known: readonly Place[], name: string) {
  const inbox = known.find(({ specialUse }) => specialUse === 'inbox')
  const others = known.filter((folder) => folder !== inbox)
  const delimiter = inbox?.delimiter ?? others[0]?.delimiter ?? null
  const prefix = `${inbox?.path ?? ''}${delimiter ?? ''}`
  const isBelowInbox =
    inbox !== undefined &&
    delimiter !== null &&
    others.length > 0 &&
    others.every(({ path }) => path.startsWith(prefix))
  return { path: isBelowInbox ? `${prefix}${name}` : name, delimiter }
}
