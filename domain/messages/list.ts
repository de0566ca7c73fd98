import { and, eq, sql } from 'drizzle-orm'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { requireFolder } from '../folders/require-folder.ts'
import { decodeCursor, toPage, type Page } from '../paging.ts'
import { prepared } from '../prepared.ts'
import { fold } from '../search/fold.ts'
import { listQuery } from './list-query.ts'
import type { MessageRow } from './message-row.ts'
import { readMessageRows } from './read-rows.ts'

export interface ListMessages {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly folderId?: number | undefined
  /** The name of the account whose inbox is meant; `folderId` wins over it. */
  readonly account?: string | undefined
  readonly unread?: boolean | undefined
  readonly starred?: boolean | undefined
  /** Inclusive. */
  readonly since?: Date | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly subject?: string | undefined
}

/**
 * Messages of a folder, of an account's inbox, or of all inboxes; newest first. A page is full unless it is the
 * last, and pages stay whole while mail arrives. Throws `not_found` for an unknown folder or account and
 * `invalid_request` for a bad cursor.
 */
export async function listMessages(
  ctx: Needs<'store'>,
  input: ListMessages,
): Promise<Page<MessageRow>> {
  const [date, id] = input.cursor ? decodeCursor(input.cursor, 2) : []
  const folderId = await folderOf(ctx, input)
  if (folderId === NO_FOLDER) return { items: [] }
  const needles = {
    from: fold(input.from ?? ''),
    to: fold(input.to ?? ''),
    subject: fold(input.subject ?? ''),
  }
  const query = listQuery(ctx.store.read, {
    folder: folderId !== undefined,
    unread: input.unread,
    starred: input.starred,
    since: input.since !== undefined,
    from: needles.from !== '',
    to: needles.to !== '',
    subject: needles.subject !== '',
    cursor: date !== undefined,
  })
  const values = await query.values({
    ...needles,
    folderId,
    since: input.since?.getTime(),
    date,
    id,
    rows: input.limit + 1,
  })
  return toPage(readMessageRows(values), input.limit, (row) => [row.date, row.id])
}

/** An account that has not been synced yet has no inbox. */
const NO_FOLDER = -1

/** The folder to list; undefined for all inboxes. */
async function folderOf(ctx: Needs<'store'>, input: ListMessages): Promise<number | undefined> {
  if (input.folderId !== undefined) return requireFolder(ctx, input.folderId)
  if (input.account === undefined) return undefined
  const accountId = await getAccountId(ctx, input.account)
  const [inbox] = await inboxOf(ctx.store.read).all({ accountId })
  return inbox?.id ?? NO_FOLDER
}

const inboxOf = prepared((read) =>
  read
    .select({ id: folders.id })
    .from(folders)
    .where(
      and(eq(folders.accountId, sql.placeholder('accountId')), eq(folders.specialUse, 'inbox')),
    )
    .limit(1)
    .prepare(),
)
