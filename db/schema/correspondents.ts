import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { contents } from './contents.ts'

/**
 * Addresses that stand in mail, to be suggested to whoever types. Scores grow with every message (see
 * domain/search/suggestions/weight.ts) and never shrink; whether there is still such mail is looked up.
 */
export const correspondents = sqliteTable(
  'correspondents',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The address folded. */
    key: text().notNull().unique(),
    /** As it was first seen. */
    address: text().notNull(),
    /** The newest display name, and the date of the message that has it: milliseconds UTC. */
    name: text(),
    namedAt: integer(),
    /** How often and how lately it wrote; and how likely it is to be written to. */
    senderScore: real().notNull(),
    recipientScore: real().notNull(),
    /** The newest contents that it wrote, and that have it at all; null for none. They may have gone. */
    senderContentId: integer(),
    recipientContentId: integer(),
  },
  (table) => [
    index('correspondents_senders').on(table.senderScore),
    index('correspondents_recipients').on(table.recipientScore),
  ],
)

/** The words by whose beginnings a correspondent is found. */
export const correspondentWords = sqliteTable(
  'correspondent_words',
  {
    word: text().notNull(),
    correspondentId: integer()
      .notNull()
      .references(() => correspondents.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.word, table.correspondentId] }),
    index('correspondent_words_correspondent').on(table.correspondentId, table.word),
  ],
)

/** Contents whose addresses are not among the correspondents yet. A trigger adds each new one (see db/README.md). */
export const unnotedContents = sqliteTable('unnoted_contents', {
  contentId: integer()
    .primaryKey()
    .references(() => contents.id, { onDelete: 'cascade' }),
})
