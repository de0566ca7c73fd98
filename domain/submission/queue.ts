import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { attach, type StoredAttachment } from './attachment-data.ts'
import type { Composed } from './compose.ts'
import { newMessageId } from './message-id.ts'

export interface QueuedMessage {
  readonly composed: Composed
  readonly attachments: readonly StoredAttachment[]
  /** Somebody waits for the outcome: it is due at once and tried once only. */
  readonly isImmediate: boolean
  /** Milliseconds UTC, as `nowMs`. */
  readonly sendAt: number
  readonly nowMs: number
  /** The draft that is sent with this. */
  readonly draftId?: number | undefined
}

/**
 * Puts a message into the outbox, under a new Message-ID; wake `outbox` once the transaction is durable. Throws
 * `not_found` for an account that has gone meanwhile.
 */
export async function queueMessage(
  tx: Tx,
  { composed, attachments, isImmediate, sendAt, nowMs, draftId }: QueuedMessage,
): Promise<{ readonly outboxId: number; readonly messageIdHeader: string }> {
  const { accountId, message, inReplyTo } = composed
  const [account] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotRemoved))
  if (!account) throw notFound('account', accountId)
  const messageIdHeader = newMessageId(message.from.address)
  const [row] = await tx
    .insert(outbox)
    .values({
      accountId,
      status: 'scheduled',
      isImmediate,
      sendAt,
      message,
      messageIdHeader,
      date: Math.max(sendAt, nowMs),
      inReplyTo: inReplyTo ?? null,
      draftId: draftId ?? null,
      // Before everything that is merely due, and whatever the clock of the sidecar says.
      nextAttemptAt: isImmediate ? 0 : sendAt,
      createdAt: nowMs,
    })
    .returning({ id: outbox.id })
  if (!row) throw new Error('The message was not put into the outbox.')
  if (attachments.length > 0) await attach(tx, { outboxId: row.id }, attachments)
  return { outboxId: row.id, messageIdHeader }
}
