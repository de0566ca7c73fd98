import { and, asc, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { oauthGrants } from '../../db/schema/oauth-grants.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import type { ServerAddress } from './account-settings.ts'
import type { OAuthProvider } from './oauth/providers.ts'
import { isNotRemoved } from './not-removed.ts'
import { serversOf } from './server-columns.ts'
import { showingTrouble, syncTrouble } from './sync-trouble.ts'

/** What may be shown of an account's settings, with how its sync stands. */
export interface AccountSettings {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly imap: ServerAddress
  readonly smtp: ServerAddress
  /** Whose grant it logs in by; absent where it has a password. */
  readonly oauth?: OAuthProvider
  /** How many days back full sources are kept; null keeps all. */
  readonly sourceDays: number | null
  /** Whether what is said to the IMAP server, and by it, is written down. */
  readonly transcribed: boolean
  /** Whether copies of what is sent are filed in Sent here; `auto`: unless the server is known to do so itself. */
  readonly sentCopy: 'auto' | 'always' | 'never'
  readonly state: 'syncing' | 'ok' | 'error' | 'paused'
  readonly error?: string
  readonly lastSyncAt?: Date
}

/** The settings of every account, in the order they were added, with how its sync stands; no passwords. */
export async function listAccountSettings(
  ctx: Needs<'store'>,
): Promise<readonly AccountSettings[]> {
  const rows = await settingsRows(ctx).where(isNotRemoved).orderBy(asc(accounts.id))
  const trouble = await syncTrouble(ctx)
  return rows.map(({ account, oauth }) => accountSettings(showingTrouble(account, trouble), oauth))
}

/** The settings of one account. Throws `not_found`. */
export async function getAccountSettings(
  ctx: Needs<'store'>,
  accountId: number,
): Promise<AccountSettings> {
  const [row] = await settingsRows(ctx).where(and(eq(accounts.id, accountId), isNotRemoved))
  if (!row) throw notFound('account', accountId)
  return accountSettings(row.account, row.oauth)
}

const settingsRows = ({ store }: Needs<'store'>) =>
  store.read
    .select({ account: accounts, oauth: oauthGrants.provider })
    .from(accounts)
    .leftJoin(oauthGrants, eq(oauthGrants.accountId, accounts.id))

const accountSettings = (
  row: typeof accounts.$inferSelect,
  oauth: OAuthProvider | null,
): AccountSettings => ({
  id: row.id,
  name: row.name,
  email: row.email,
  ...serversOf(row),
  ...(oauth !== null && { oauth }),
  sourceDays: row.sourceDays,
  transcribed: row.transcribed,
  sentCopy: row.sentCopy,
  state: row.state,
  ...(row.error !== null && { error: row.error }),
  ...(row.lastSyncAt !== null && { lastSyncAt: new Date(row.lastSyncAt) }),
})
