import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'
import type { Address } from './contents.ts'
import { drafts } from './drafts.ts'

/** What a message to be sent says. Its attachments stand in outgoing_attachments, its Message-ID and date in its row. */
export interface OutgoingMessage {
  readonly from: Address
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  /** Part of the SMTP envelope only, never of the header. */
  readonly bcc: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Without angle brackets. */
  readonly inReplyToHeader?: string
  /** Oldest first, without angle brackets. */
  readonly references: readonly string[]
  /** Further header fields, in this order. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
}

/** A recipient whom the server did not take, while it took others. */
export interface RefusedRecipient {
  readonly address: string
  readonly smtpCode: number
  readonly message: string
}

/**
 * Messages to be sent, and what became of them. `scheduled` until the bytes are handed over, or are about to be over a
 * connection that is there already; `sending` from then to the server's answer, so an entry found in it after a crash may
 * have been sent, and is never sent again.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    status: text({ enum: ['scheduled', 'sending', 'sent', 'failed', 'cancelled'] }).notNull(),
    /** Somebody waits for the outcome: it is tried once only. */
    isImmediate: integer({ mode: 'boolean' }).notNull(),
    sendAt: integer().notNull(),
    message: text({ mode: 'json' }).$type<OutgoingMessage>().notNull(),
    messageIdHeader: text().notNull().unique(),
    /** The Date header; milliseconds UTC. */
    date: integer().notNull(),
    /** The service id of the message that this answers. Kept when that goes, so no reference. */
    inReplyTo: integer(),
    /** The draft that is sent with this, and goes when it has been sent. */
    draftId: integer().references(() => drafts.id, { onDelete: 'set null' }),

    /** How often it was tried; the next try is due at `nextAttemptAt`. */
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer().notNull(),
    /** The sidecar that is at it, until then (the database's time). */
    claimedBy: text(),
    claimedUntil: integer(),

    /** Of a failed entry: the server's no, nothing handed over for another reason, or nobody knows. */
    failure: text({ enum: ['refused', 'not_sent', 'unknown'] }),
    /** In words for people. */
    error: text(),
    smtpCode: integer(),
    refused: text({ mode: 'json' }).$type<readonly RefusedRecipient[]>(),
    /**
     * Of an open entry that others have got: whom alone it is sent to again, as the server refused them for now. From
     * then on it is neither withdrawn nor put off, nor are its bytes forgotten.
     */
    waiting: text({ mode: 'json' }).$type<readonly RefusedRecipient[]>(),
    settledAt: integer(),

    /** What becomes of the copy in Sent: `none` where nobody has to file one, or the server does. */
    copy: text({ enum: ['none', 'wanted', 'filed', 'given_up'] })
      .notNull()
      .default('none'),
    copyAttempts: integer().notNull().default(0),
    nextCopyAt: integer(),
    createdAt: integer().notNull(),
  },
  (table) => [
    index('outbox_due')
      .on(table.nextAttemptAt)
      .where(sql`status in ('scheduled', 'sending')`),
    index('outbox_copies')
      .on(table.accountId, table.nextCopyAt)
      .where(sql`copy = 'wanted'`),
    index('outbox_account').on(table.accountId),
    index('outbox_draft').on(table.draftId),
    index('outbox_order').on(table.sendAt, table.id),
  ],
)
