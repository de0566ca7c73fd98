import { and, eq, isNull, or } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { drafts } from '../../db/schema/drafts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { type DraftRecord, selectDrafts, withAttachments } from './draft-record.ts'

/** Whether a draft is shown: neither deleted nor sent, nor of an account that is being removed. */
export const isShown = and(isNull(drafts.removedAt), or(isNull(accounts.id), isNotRemoved))

/** A draft with what is attached to it. Throws `not_found`. */
export const getDraft = (
  { store }: Needs<'store'>,
  { id }: { readonly id: number },
): Promise<DraftRecord> => readDraft(store.read, id)

/** The same, also within a transaction. */
export async function readDraft(read: Reader, id: number): Promise<DraftRecord> {
  const rows = await selectDrafts(read).where(and(eq(drafts.id, id), isShown))
  const [draft] = await withAttachments(read, rows)
  if (!draft) throw notFound('draft', id)
  return draft
}
