import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { ENTRY_COLUMNS, type OutboxEntry } from './entry.ts'

/** The entry with this id. Throws `not_found`. */
export async function getOutboxEntry({ store }: Needs<'store'>, id: number): Promise<OutboxEntry> {
  const [entry] = await store.read
    .select(ENTRY_COLUMNS)
    .from(outbox)
    .innerJoin(accounts, eq(accounts.id, outbox.accountId))
    .where(and(eq(outbox.id, id), isNotRemoved))
  if (!entry) throw notFound('outbox entry', id)
  return entry
}
