import { asc, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { folderTree, type FolderNode } from './folder-tree.ts'

export interface AccountFolders {
  readonly account: string
  readonly folders: readonly FolderNode[]
}

/** Each account's folder tree, or that of one account. Throws `not_found` for an unknown name. */
export async function listFolders(
  ctx: Needs<'store'>,
  input: { readonly account?: string | undefined },
): Promise<readonly AccountFolders[]> {
  const only =
    input.account === undefined
      ? isNotRemoved
      : eq(accounts.id, await getAccountId(ctx, input.account))
  const rows = await ctx.store.read
    .select({ account: accounts.name, folder: folders })
    .from(accounts)
    .leftJoin(folders, eq(folders.accountId, accounts.id))
    .where(only)
    .orderBy(asc(accounts.id))
  return [...Map.groupBy(rows, (row) => row.account)].map(([account, group]) => ({
    account,
    folders: folderTree(group.flatMap(({ folder }) => folder ?? [])),
  }))
}
