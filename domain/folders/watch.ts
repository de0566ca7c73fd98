import { and, eq, inArray, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'

/** Folders of an account, by their paths. */
export interface WatchFolders {
  readonly accountId: number
  /** To be synced continuously, so that their changes become events (spec section 6, rule 3). */
  readonly watch: readonly string[]
  /** No longer. */
  readonly unwatch: readonly string[]
}

/** Chooses which folders are synced continuously; the sync connects anew. Throws `not_found` and changes nothing then. */
export async function watchFolders(
  ctx: Needs<'store' | 'wake'>,
  { accountId, watch, unwatch }: WatchFolders,
): Promise<void> {
  const known = await ctx.store.read
    .select({ path: folders.path })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.selectable, true)))
  const paths = new Set(known.map(({ path }) => path))
  for (const path of [...watch, ...unwatch]) if (!paths.has(path)) throw notFound('folder', path)
  const named = (chosen: readonly string[]) =>
    and(eq(folders.accountId, accountId), inArray(folders.path, [...chosen]))
  await ctx.store.commit((write) => [
    write.update(folders).set({ synced: true }).where(named(watch)),
    write.update(folders).set({ synced: false }).where(named(unwatch)),
    write
      .update(accounts)
      .set({ settingsRevision: sql`${accounts.settingsRevision} + 1` })
      .where(eq(accounts.id, accountId)),
  ])
  ctx.wake.now('accounts')
}

/** The account's folders that can hold mail, by path. */
export const listWatchedFolders = ({ store }: Needs<'store'>, accountId: number) =>
  store.read
    .select({
      id: folders.id,
      path: folders.path,
      specialUse: folders.specialUse,
      synced: folders.synced,
    })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.selectable, true)))
    .orderBy(folders.path)
