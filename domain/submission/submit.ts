import type { Tx } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { bindKey, type Binding } from '../idempotency/bind.ts'
import { discardAttachments, type StoredAttachment } from './attachment-data.ts'
import type { Composed } from './compose.ts'
import { awaitOutcome, type SentMessage } from './outcome.ts'
import { queueMessage } from './queue.ts'

export interface Submit {
  readonly composed: Composed
  readonly attachments: readonly StoredAttachment[]
  /** Milliseconds UTC, of `sendTime`; absent to send now and to wait for the outcome. */
  readonly sendAt?: number | undefined
  /** The draft that is sent with this. */
  readonly draftId?: number | undefined
  readonly binding?: Binding | undefined
}

/** A message that was sent, or is going to be. */
export type Submission =
  | ({ readonly kind: 'sent' } & SentMessage)
  | ({ readonly kind: 'scheduled' } & ScheduledMessage)

export interface ScheduledMessage {
  readonly outboxId: number
  /** Milliseconds UTC. */
  readonly sendAt: number
}

/**
 * Puts a message into the outbox and, unless it is to be sent later, waits for its outcome; throws as `awaitOutcome`
 * does, and `KeyTaken` with nothing stored.
 */
export async function submit(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { binding, sendAt: scheduledFor, ...message }: Submit,
): Promise<Submission> {
  const nowMs = ctx.clock.now().getTime()
  const sendAt = scheduledFor ?? nowMs
  const isImmediate = scheduledFor === undefined
  const queue = async (tx: Tx) => {
    const queued = await queueMessage(tx, { ...message, isImmediate, sendAt, nowMs })
    await bindKey(tx, binding, { kind: 'outbox', entityId: queued.outboxId, nowMs })
    return queued
  }
  // Whoever claims what somebody waits for, or takes it back, makes this durable with it: nothing is sent or answered before.
  const stored = isImmediate ? ctx.store.transaction(queue) : ctx.store.durableTransaction(queue)
  const { outboxId } = await stored.catch(async (error: unknown) => {
    await discardAttachments(ctx, message.attachments)
    throw error
  })
  ctx.wake.now('outbox')
  ctx.wake.now('changes')
  if (!isImmediate) return { kind: 'scheduled', outboxId, sendAt }
  return { kind: 'sent', ...(await awaitOutcome(ctx, outboxId)) }
}
