import { and, desc, eq, lt, or } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { decodeCursor, type Page, toPage } from '../paging.ts'
import { type DraftRecord, selectDrafts, withAttachments } from './draft-record.ts'
import { isShown } from './get.ts'

/** Which drafts. */
export interface DraftQuery {
  /** The name of their account. */
  readonly account?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of drafts, those written at last first. Throws `not_found` for an unknown account. */
export async function listDrafts(
  ctx: Needs<'store'>,
  { account, limit, cursor }: DraftQuery,
): Promise<Page<DraftRecord>> {
  const accountId = account === undefined ? undefined : await getAccountId(ctx, account)
  const { read } = ctx.store
  const rows = await selectDrafts(read)
    .where(
      and(
        isShown,
        accountId === undefined ? undefined : eq(drafts.accountId, accountId),
        cursor ? isAfter(decodeCursor(cursor, 2)) : undefined,
      ),
    )
    .orderBy(desc(drafts.updatedAt), desc(drafts.id))
    .limit(limit + 1)
  const page = toPage(rows, limit, ({ updatedAt, id }) => [updatedAt, id])
  return { ...page, items: await withAttachments(read, page.items) }
}

const isAfter = ([updatedAt = 0, id = 0]: readonly number[]) =>
  or(lt(drafts.updatedAt, updatedAt), and(eq(drafts.updatedAt, updatedAt), lt(drafts.id, id)))
