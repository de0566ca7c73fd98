import { asc, gt, sql } from 'drizzle-orm'
import { changes } from '../../db/schema/changes.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { decodeCursor, toPage, type Page } from '../paging.ts'

export type ChangeRow = typeof changes.$inferSelect

export interface ListChanges {
  /** The number the caller has read up to; exclusive. */
  readonly since: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * What changed after `since`, in order, with the newest number there is. Only the newest change of a thing is
 * kept. Throws `invalid_request` for a number this feed has not reached: the reader must read everything again.
 */
export async function listChanges(
  ctx: Needs<'store'>,
  input: ListChanges,
): Promise<Page<ChangeRow> & { readonly seq: number }> {
  const [after = input.since] = input.cursor ? decodeCursor(input.cursor, 1) : []
  // Read before the page: a change that comes in between is then seen twice rather than never.
  const [newest] = await ctx.store.read
    .select({ seq: sql<number>`coalesce(max(${changes.seq}), 0)` })
    .from(changes)
  const seq = newest?.seq ?? 0
  if (!(input.since >= 0 && input.since <= seq)) {
    throw invalidRequest('This feed has no such number: read everything again.')
  }
  const rows = await ctx.store.read
    .select()
    .from(changes)
    .where(gt(changes.seq, after))
    .orderBy(asc(changes.seq))
    .limit(input.limit + 1)
  return { ...toPage(rows, input.limit, (row) => [row.seq]), seq }
}
