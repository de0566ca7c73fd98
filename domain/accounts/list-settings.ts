import { asc } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { ServerAddress } from './account-settings.ts'
import { serversOf } from './server-columns.ts'

/** What may be shown of an account's settings, with how its sync stands. */
export interface AccountSettings {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly imap: ServerAddress
  readonly smtp: ServerAddress
  /** How many days back full sources are kept; null keeps all. */
  readonly sourceDays: number | null
  /** Whether what is said to the IMAP server, and by it, is written down. */
  readonly transcribed: boolean
  readonly state: 'syncing' | 'ok' | 'error' | 'paused'
  readonly error?: string
  readonly lastSyncAt?: Date
}

/** The settings of every account, in the order they were added; no passwords. */
export async function listAccountSettings({
  store,
}: Needs<'store'>): Promise<readonly AccountSettings[]> {
  const rows = await store.read.select().from(accounts).orderBy(asc(accounts.id))
  return rows.map(accountSettings)
}

export const accountSettings = (row: typeof accounts.$inferSelect): AccountSettings => ({
  id: row.id,
  name: row.name,
  email: row.email,
  ...serversOf(row),
  sourceDays: row.sourceDays,
  transcribed: row.transcribed,
  state: row.state,
  ...(row.error !== null && { error: row.error }),
  ...(row.lastSyncAt !== null && { lastSyncAt: new Date(row.lastSyncAt) }),
})
