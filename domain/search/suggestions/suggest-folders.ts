import { and, asc, eq } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { folders } from '../../../db/schema/folders.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../../accounts/not-removed.ts'
import { isMeant, type Typed } from './typed-words.ts'

export type SuggestedFolder = Pick<typeof folders.$inferSelect, 'id' | 'path' | 'specialUse'> & {
  /** The name of its account. */
  readonly account: string
}

/** The folders that are meant by their path or special use, those with a special use first. */
export async function suggestFolders(
  { store }: Needs<'store'>,
  { words, limit }: Typed,
): Promise<readonly SuggestedFolder[]> {
  const { id, path, specialUse } = folders
  const rows = await store.read
    .select({ id, path, specialUse, account: accounts.name })
    .from(folders)
    .innerJoin(accounts, and(eq(accounts.id, folders.accountId), isNotRemoved))
    .where(eq(folders.selectable, true))
    .orderBy(asc(accounts.id), asc(folders.path))
  return rows
    .filter((folder) => isMeant(`${folder.path} ${folder.specialUse ?? ''}`, words))
    .toSorted((a, b) => Number(a.specialUse === null) - Number(b.specialUse === null))
    .slice(0, limit)
}
