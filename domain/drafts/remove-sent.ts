import { and, eq, isNull } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import type { Unit } from '../unit-of-work.ts'
import { dropDraft } from './drop.ts'

/**
 * Takes the draft away that has been sent, with its copy on the server: in the transaction that remembers that it was
 * sent. One that is gone already is no error. `nowMs` is milliseconds UTC.
 */
export async function removeSentDraft(unit: Unit, draftId: number, nowMs: number): Promise<void> {
  const [draft] = await unit.tx
    .select()
    .from(drafts)
    .where(and(eq(drafts.id, draftId), isNull(drafts.removedAt)))
  if (draft) await dropDraft(unit, draft, nowMs)
}
