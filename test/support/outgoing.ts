import type { OutgoingMessage } from '../../db/schema/outbox.ts'
import { outbox } from '../../db/schema/outbox.ts'
import type { StoredAttachment } from '../../domain/submission/attachment-data.ts'
import { queueMessage } from '../../domain/submission/queue.ts'
import type { Store } from '../../runtime/ports/store.ts'

/** A message to be sent, with everything that a test does not care about filled in. */
export const outgoing = (message: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  from: { address: 'ada@example.org' },
  to: [{ address: 'bob@example.net' }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Lunch',
  text: 'At noon?\n',
  references: [],
  ...message,
})

/** What a test says of an entry that it puts into the outbox. */
export interface Queued {
  readonly accountId: number
  readonly message?: Partial<OutgoingMessage>
  readonly attachments?: readonly StoredAttachment[]
  /** Scheduled unless told. */
  readonly isImmediate?: boolean
  /** Milliseconds UTC; now unless told. */
  readonly sendAt?: number
  readonly nowMs: number
  readonly inReplyTo?: number
  readonly draftId?: number
}

/** Puts a message into the outbox as the API does; its id. */
export async function queueOutgoing(store: Store, queued: Queued): Promise<number> {
  const { accountId, attachments = [], isImmediate = false, nowMs, inReplyTo, draftId } = queued
  const composed = {
    accountId,
    message: outgoing(queued.message),
    ...(inReplyTo !== undefined && { inReplyTo }),
  }
  const { outboxId } = await store.durableTransaction((tx) =>
    queueMessage(tx, {
      composed,
      attachments,
      isImmediate,
      sendAt: queued.sendAt ?? nowMs,
      nowMs,
      ...(draftId !== undefined && { draftId }),
    }),
  )
  return outboxId
}

/** All entries, oldest first. */
export const entries = (store: Store) => store.read.select().from(outbox).orderBy(outbox.id)
