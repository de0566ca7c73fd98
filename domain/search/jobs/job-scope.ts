import { eq } from 'drizzle-orm'
import { folders } from '../../../db/schema/folders.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { getAccountId } from '../../accounts/get-id.ts'
import { requireFolder } from '../../folders/require-folder.ts'

/** What a search is confined to, as it was asked for. */
export interface WantedScope {
  /** The name of the only account that is searched. */
  readonly account?: string | undefined
  /** The only folder that is searched. */
  readonly folderId?: number | undefined
}

/** The same by ids. */
export interface JobScope {
  readonly only: { readonly accountId?: number; readonly folderId?: number }
  /** The accounts whose servers are asked, each of these; undefined for all. */
  readonly accountIds: readonly number[] | undefined
}

/** Throws `not_found` for an unknown folder or account. */
export async function jobScope(
  ctx: Needs<'store'>,
  { account, folderId }: WantedScope,
): Promise<JobScope> {
  const accountId = account === undefined ? undefined : await getAccountId(ctx, account)
  const holderId = folderId === undefined ? undefined : await accountOfFolder(ctx, folderId)
  const only = { ...(accountId && { accountId }), ...(folderId && { folderId }) }
  if (holderId === undefined)
    return { only, accountIds: accountId === undefined ? undefined : [accountId] }
  const isElsewhere = accountId !== undefined && accountId !== holderId
  return { only, accountIds: isElsewhere ? [] : [holderId] }
}

async function accountOfFolder(ctx: Needs<'store'>, folderId: number): Promise<number | undefined> {
  const [folder] = await ctx.store.read
    .select({ accountId: folders.accountId })
    .from(folders)
    .where(eq(folders.id, await requireFolder(ctx, folderId)))
  return folder?.accountId
}
