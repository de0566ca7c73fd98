import { and, eq } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Folder } from './folder.ts'

/** The All Mail of a Gmail account, which is its archive here. */
export async function findAllMail(
  { store }: Needs<'store'>,
  accountId: number,
): Promise<Folder | undefined> {
  const [folder] = await store.read
    .select()
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.specialUse, 'archive')))
  return folder
}
