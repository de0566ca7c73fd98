import { sql } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'

/**
 * Whether an entry is not settled yet: in the very words of the index of what is due, which is used for no others. Say
 * it besides what status is wanted.
 */
export const isOpen = sql<boolean>`${outbox.status} in ('scheduled', 'sending')`
