import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** Something that the owner should hear of, and nobody asked for. */
export const notices = sqliteTable(
  'notices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Null where it is about no account. */
    accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
    /**
     * A change that the server refused for good, a message that a filter rule tells of, one that was not sent, or an
     * endpoint for webhooks that was switched off or has too many deliveries waiting.
     */
    kind: text({
      enum: [
        'change_refused',
        'filter_matched',
        'send_failed',
        'webhook_disabled',
        'webhook_queue_full',
      ],
    }).notNull(),
    /** In words for people. */
    text: text().notNull(),
    /** Kept when the message goes, so no reference. */
    messageId: integer(),
    /** Kept when the endpoint goes, so no reference. */
    webhookId: integer(),
    createdAt: integer().notNull(),
  },
  (table) => [index('notices_created').on(table.createdAt)],
)
