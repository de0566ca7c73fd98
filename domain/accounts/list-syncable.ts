import { and, ne } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from './not-removed.ts'

/** An account to be synced; a new `settingsRevision` means that it has to connect anew. */
export interface SyncableAccount {
  readonly id: number
  readonly settingsRevision: number
}

/** Every account that is neither paused nor being removed. */
export async function listSyncableAccounts({
  store,
}: Needs<'store'>): Promise<readonly SyncableAccount[]> {
  return store.read
    .select({ id: accounts.id, settingsRevision: accounts.settingsRevision })
    .from(accounts)
    .where(and(ne(accounts.state, 'paused'), isNotRemoved))
}
