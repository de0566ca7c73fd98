import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** Why no new access token could be had: the owner has to authorise again (`auth`), or it may work later. */
export interface RefreshFailure {
  readonly kind: 'auth' | 'unreachable'
  readonly message: string
}

/**
 * What an account logs in with that has no password: the grant of its owner (RFC 6749) and the access token it
 * last gave. Secrets are as the SecretBox sealed them; times are milliseconds UTC.
 */
export const oauthGrants = sqliteTable('oauth_grants', {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  provider: text({ enum: ['google', 'microsoft'] }).notNull(),
  /** The client and the endpoint that the refresh token belongs to, whatever is configured now. */
  clientId: text().notNull(),
  sealedClientSecret: text(),
  tokenUrl: text().notNull(),
  sealedRefreshToken: text().notNull(),
  sealedAccessToken: text().notNull(),
  accessTokenExpiresAt: integer().notNull(),
  /** Grows with every new access token. */
  revision: integer().notNull().default(1),
  /** Until when somebody is getting a new one, by the database's time; null when nobody is. */
  refreshClaimedUntil: integer(),
  /** How the last attempt to get one failed; null after one that did not. */
  refreshFailure: text({ mode: 'json' }).$type<RefreshFailure>(),
})
