import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A personal access token. The secret is not here: only its argon2id hash. */
export const tokens = sqliteTable('tokens', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** The public half of the token, by which its row is found. */
  selector: text().notNull().unique(),
  secretHash: text().notNull(),
  label: text().notNull(),
  /** Space-separated. */
  scopes: text().notNull(),
  createdAt: integer().notNull(),
  expiresAt: integer(),
  revokedAt: integer(),
  /** Written at most once a minute. */
  lastUsedAt: integer(),
})
