import { and, eq } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { folders } from '../../../db/schema/folders.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { getAccountId } from '../../accounts/get-id.ts'
import { isNotRemoved } from '../../accounts/not-removed.ts'
import { notFound } from '../../errors.ts'

/** What a search is confined to, as it was asked for. */
export interface WantedScope {
  /** The name of the only account that is searched. */
  readonly account?: string | undefined
  /** The only folder that is searched; wins over `account`. */
  readonly folderId?: number | undefined
}

/** The same by ids. */
export interface JobScope {
  readonly only: { readonly accountId?: number; readonly folderId?: number }
  /** The only account whose server is asked; undefined for all. */
  readonly accountId: number | undefined
}

/** Throws `not_found` for an unknown folder or account. */
export async function jobScope(
  ctx: Needs<'store'>,
  { account, folderId }: WantedScope,
): Promise<JobScope> {
  if (folderId !== undefined)
    return { only: { folderId }, accountId: await accountOfFolder(ctx, folderId) }
  if (account === undefined) return { only: {}, accountId: undefined }
  const accountId = await getAccountId(ctx, account)
  return { only: { accountId }, accountId }
}

async function accountOfFolder({ store }: Needs<'store'>, folderId: number): Promise<number> {
  const [folder] = await store.read
    .select({ accountId: folders.accountId })
    .from(folders)
    .innerJoin(accounts, eq(accounts.id, folders.accountId))
    .where(and(eq(folders.id, folderId), eq(folders.selectable, true), isNotRemoved))
  if (!folder) throw notFound('folder', folderId)
  return folder.accountId
}
