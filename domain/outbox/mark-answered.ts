import { eq } from 'drizzle-orm'
import { messages } from '../../db/schema/messages.ts'
import { applyChange, CHANGEABLE } from '../messages/apply-change.ts'
import type { Unit } from '../unit-of-work.ts'

/** Shows that a message was answered and queues it for its server; nothing where it is gone, or was answered before. */
export async function markAnswered(
  unit: Unit,
  { messageId, nowMs }: { readonly messageId: number; readonly nowMs: number },
): Promise<void> {
  const rows = await unit.tx.select(CHANGEABLE).from(messages).where(eq(messages.id, messageId))
  if (rows.length > 0) await applyChange(unit, rows, { change: { answered: true }, nowMs })
}
