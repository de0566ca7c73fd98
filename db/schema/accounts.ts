import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A mail account: where its servers are and how its last sync went. Times are milliseconds UTC. */
export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  /** `name` folded, so that names are unique without regard to case. */
  nameKey: text().notNull().unique(),
  email: text().notNull(),
  imapHost: text().notNull(),
  imapPort: integer().notNull(),
  imapTls: text({ enum: ['implicit', 'starttls', 'none'] }).notNull(),
  imapUser: text().notNull(),
  smtpHost: text().notNull(),
  smtpPort: integer().notNull(),
  smtpTls: text({ enum: ['implicit', 'starttls', 'none'] }).notNull(),
  smtpUser: text().notNull(),
  /** The password as the SecretBox sealed it; never in clear. Empty where a grant stands for it (oauth_grants). */
  sealedPassword: text().notNull(),
  /** The same for a password of its own for SMTP; null when it is the one above. */
  sealedSmtpPassword: text(),
  /** Grows whenever the settings above change, so that a running sync notices and reconnects. */
  settingsRevision: integer().notNull().default(1),
  /** How many days back full sources are kept; null keeps all of them. */
  sourceDays: integer(),
  /** Whether what is said to the IMAP server, and by it, is written down. */
  transcribed: integer({ mode: 'boolean' }).notNull().default(false),
  /** Whether a copy of what is sent is filed in Sent here; `auto`: unless the server is known to do it itself. */
  sentCopy: text({ enum: ['auto', 'always', 'never'] })
    .notNull()
    .default('auto'),
  /** Since when the account is being removed: nothing but the removal may see it any more. */
  removingSince: integer(),
  state: text({ enum: ['syncing', 'ok', 'error', 'paused'] })
    .notNull()
    .default('syncing'),
  error: text(),
  lastSyncAt: integer(),
  /** While a first sync runs, how many messages the server has; null when none runs. */
  progressTotal: integer(),
  createdAt: integer().notNull(),
})
