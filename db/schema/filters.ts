import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/** What a message has to be like: `value` is a text to find, or a regular expression in RE2 syntax. */
export interface FilterCondition {
  readonly field: 'from' | 'to' | 'subject' | 'body'
  readonly op: 'contains' | 'regex'
  readonly value: string
}

/** What is done with a message. A folder to move to is its id, or its path in the message's own account. */
export type FilterAction =
  | { readonly type: 'move'; readonly arg: string | number }
  | { readonly type: 'label' | 'forward'; readonly arg: string }
  | { readonly type: 'mark_read' | 'star' | 'delete' | 'notify' }

/** A rule for mail that arrives in an inbox: where all conditions hold, all actions are done. */
export const filters = sqliteTable(
  'filters',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text(),
    /** Null for every account. */
    accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
    /** From 1, without gaps: rules are evaluated in this order. A trigger closes the gap of one that goes. */
    position: integer().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    conditions: text({ mode: 'json' }).$type<readonly FilterCondition[]>().notNull(),
    actions: text({ mode: 'json' }).$type<readonly FilterAction[]>().notNull(),
    /** Grows with every edit, so that what was compiled of an earlier one is not used any more. */
    revision: integer().notNull().default(1),
    createdAt: integer().notNull(),
  },
  (table) => [index('filters_position').on(table.position)],
)

/**
 * The messages that the rules have seen: written with the arrival itself, so that no rule ever runs twice on one.
 * By source, not by row, since a message that leaves an inbox and comes back is a new row and no new message.
 */
export const filterRuns = sqliteTable(
  'filter_runs',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** SHA-256 of the source in lower-case hex. */
    sourceHash: text().notNull(),
    ranAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.sourceHash] })],
)
