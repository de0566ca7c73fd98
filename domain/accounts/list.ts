import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from './not-removed.ts'
import { showingTrouble, syncTrouble } from './sync-trouble.ts'

const { id, name, email, state, error, lastSyncAt, progressTotal } = getTableColumns(accounts)

/** How an account stands: its sync state, and its messages and folders counted. Times are milliseconds UTC. */
export type AccountRow = Awaited<ReturnType<typeof listAccounts>>[number]

/**
 * All accounts, in the order they were added. While nothing can be written the sync cannot say so
 * itself, and all of them show why.
 */
export async function listAccounts(ctx: Needs<'store'>) {
  const rows = await readAccounts(ctx)
  const trouble = await syncTrouble(ctx)
  return rows.map((row) => showingTrouble(row, trouble))
}

const readAccounts = ({ store }: Needs<'store'>) =>
  store.read
    .select({
      name,
      email,
      state,
      error,
      lastSyncAt,
      progressTotal,
      messages: sql<number>`coalesce(sum(${folders.total}), 0)`,
      unread: sql<number>`coalesce(sum(${folders.unread}), 0)`,
      folders: sql<number>`count(case when ${folders.selectable} then 1 end)`,
    })
    .from(accounts)
    .leftJoin(folders, eq(folders.accountId, accounts.id))
    .where(isNotRemoved)
    .groupBy(id)
    .orderBy(asc(id))

/** How many accounts there are. */
export async function countAccounts(ctx: Needs<'store'>): Promise<number> {
  const [row] = await ctx.store.read
    .select({ count: sql<number>`count(*)` })
    .from(accounts)
    .where(isNotRemoved)
  return row?.count ?? 0
}
