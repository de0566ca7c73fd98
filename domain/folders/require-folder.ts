import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { prepared } from '../prepared.ts'

/** The id of a folder that can hold mail. Throws `not_found`. */
export async function requireFolder(ctx: Needs<'store'>, id: number): Promise<number> {
  const [folder] = await folderById(ctx.store.read).all({ id })
  if (!folder) throw notFound('folder', id)
  return folder.id
}

const folderById = prepared((read) =>
  read
    .select({ id: folders.id })
    .from(folders)
    .innerJoin(accounts, eq(accounts.id, folders.accountId))
    .where(and(eq(folders.id, sql.placeholder('id')), eq(folders.selectable, true), isNotRemoved))
    .prepare(),
)
