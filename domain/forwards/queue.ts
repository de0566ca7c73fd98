import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { forwards } from '../../db/schema/forwards.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { leaveNotice } from '../notices/leave.ts'
import { storeAttachmentBytes } from '../submission/attachment-data.ts'
import { queueMessage } from '../submission/queue.ts'
import { forwardingMessage } from './forwarding-message.ts'
import type { WaitingForward } from './list-waiting.ts'

/** Puts a forward into the outbox with its original, byte for byte: once, whoever else is at it. */
export async function queueForward(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  forward: WaitingForward & { readonly original: NonNullable<WaitingForward['original']> },
  source: Uint8Array,
): Promise<void> {
  const attachment = await storeAttachmentBytes(ctx, {
    filename: 'forwarded.eml',
    contentType: 'message/rfc822',
    bytes: source,
  })
  const nowMs = ctx.clock.now().getTime()
  const composed = { accountId: forward.accountId, message: forwardingMessage(forward) }
  await ctx.store.durableTransaction(async (tx) => {
    if (!(await take(tx, forward.id))) return
    const attachments = [attachment]
    await queueMessage(tx, { composed, attachments, isImmediate: false, sendAt: nowMs, nowMs })
  })
  ctx.wake.now('outbox')
  ctx.wake.now('changes')
}

/** Gives up a forward whose message cannot be had; the owner hears of it. */
export async function giveUpForward(
  { store, clock }: Needs<'store' | 'clock'>,
  { id, accountId, messageId, address, original }: WaitingForward,
): Promise<void> {
  const what = original ? `"${original.subject}"` : 'A message'
  const text = `${what} was not forwarded to ${address}: its source cannot be had.`
  const createdAt = clock.now().getTime()
  await store.durableTransaction(async (tx) => {
    if (await take(tx, id))
      await leaveNotice(tx, { accountId, messageId, kind: 'send_failed', text, createdAt })
  })
}

/** Whether it was still waiting. */
async function take(tx: Tx, id: number): Promise<boolean> {
  const taken = await tx.delete(forwards).where(eq(forwards.id, id)).returning({ id: forwards.id })
  return taken.length > 0
}
