import { and, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { invalidRequest } from '../errors.ts'

/** The entry of the outbox under which a draft is being sent, or is scheduled to be; undefined where there is none. */
export async function openEntry(
  read: Reader,
  draftId: number,
): Promise<typeof outbox.$inferSelect | undefined> {
  const [entry] = await read
    .select()
    .from(outbox)
    .where(and(eq(outbox.draftId, draftId), inArray(outbox.status, ['scheduled', 'sending'])))
  return entry
}

/** Throws `invalid_request` while a draft is on its way: what is sent must be what is seen. */
export async function refuseWhileSending(read: Reader, draftId: number): Promise<void> {
  const entry = await openEntry(read, draftId)
  if (!entry) return
  throw invalidRequest(
    entry.isImmediate || entry.status === 'sending'
      ? 'This draft is being sent.'
      : `This draft is scheduled to be sent: cancel the outbox entry ${entry.id} first.`,
  )
}
