import { asc, eq } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Folder } from './folder.ts'

/** The account's folders as the store has them. */
export const listFolders = (
  { store }: Needs<'store'>,
  accountId: number,
): Promise<readonly Folder[]> =>
  store.read.select().from(folders).where(eq(folders.accountId, accountId)).orderBy(asc(folders.id))
