import { asc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { outgoingAttachments } from '../../db/schema/attachment-data.ts'
import { drafts } from '../../db/schema/drafts.ts'

/** A draft as the store has it. */
export type Draft = typeof drafts.$inferSelect

/** Something attached to a draft; its place in the list is its index. */
interface DraftAttachment {
  readonly filename: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
}

/** A draft as it is shown. */
export interface DraftRecord extends Draft {
  /** The name of its account; null while it has none. */
  readonly account: string | null
  readonly attachments: readonly DraftAttachment[]
}

/** The columns that a record is made of. */
const DRAFT_COLUMNS = { ...getTableColumns(drafts), account: accounts.name }

type DraftRow = Omit<DraftRecord, 'attachments'>

/** Drafts with what is attached to them, in the order given. */
export async function withAttachments(
  read: Reader,
  rows: readonly DraftRow[],
): Promise<readonly DraftRecord[]> {
  if (rows.length === 0) return []
  const attached = await read
    .select({
      draftId: outgoingAttachments.draftId,
      filename: outgoingAttachments.filename,
      contentType: outgoingAttachments.contentType,
      size: outgoingAttachments.size,
    })
    .from(outgoingAttachments)
    .where(
      inArray(
        outgoingAttachments.draftId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(outgoingAttachments.draftId), asc(outgoingAttachments.position))
  const byDraft = Map.groupBy(attached, ({ draftId }) => draftId)
  return rows.map((row) => ({
    ...row,
    attachments: (byDraft.get(row.id) ?? []).map(({ filename, contentType, size }) => ({
      filename,
      contentType,
      size,
    })),
  }))
}

/** Drafts as rows of a record: add conditions and order. */
export const selectDrafts = (read: Reader) =>
  read.select(DRAFT_COLUMNS).from(drafts).leftJoin(accounts, eq(accounts.id, drafts.accountId))
