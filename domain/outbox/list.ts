import { and, desc, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { decodeCursor, type Page, toPage } from '../paging.ts'
import { ENTRY_COLUMNS, type OutboxEntry } from './entry.ts'

/** The entries of the outbox, the latest `sendAt` first. Throws `invalid_request` for a bad cursor. */
export async function listOutbox(
  { store }: Needs<'store'>,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<OutboxEntry>> {
  const after = cursor ? decodeCursor(cursor, 2) : undefined
  const rows = await store.read
    .select(ENTRY_COLUMNS)
    .from(outbox)
    .innerJoin(accounts, eq(accounts.id, outbox.accountId))
    .where(
      and(
        isNotRemoved,
        after && sql`(${outbox.sendAt}, ${outbox.id}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(outbox.sendAt), desc(outbox.id))
    .limit(limit + 1)
  return toPage(rows, limit, ({ sendAt, id }) => [sendAt, id])
}
