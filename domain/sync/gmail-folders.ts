import { and, eq } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { SpecialUse } from '../folders/special-use.ts'
import type { Folder } from './folder.ts'

/** The All Mail of a Gmail account, which is its archive here. */
export const findAllMail = (ctx: Needs<'store'>, accountId: number) =>
  findRole(ctx, accountId, 'archive')

/** The only place of a Gmail account from which mail goes for good when it is expunged, but for Spam. */
export const findTrash = (ctx: Needs<'store'>, accountId: number) =>
  findRole(ctx, accountId, 'trash')

async function findRole(
  { store }: Needs<'store'>,
  accountId: number,
  role: SpecialUse,
): Promise<Folder | undefined> {
  const [folder] = await store.read
    .select()
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.specialUse, role)))
  return folder
}
