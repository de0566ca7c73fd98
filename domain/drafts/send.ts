import type { Tx } from '../../db/client.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import { bindKey, type Binding } from '../idempotency/bind.ts'
import { splitAddressList } from '../submission/addresses.ts'
import { listAttachments, type StoredAttachment } from '../submission/attachment-data.ts'
import { compose, type Composed } from '../submission/compose.ts'
import { awaitOutcome } from '../submission/outcome.ts'
import { queueMessage } from '../submission/queue.ts'
import { sendTime } from '../submission/send-time.ts'
import type { Submission } from '../submission/submit.ts'
import { addressList } from './adoption/address-list.ts'
import type { DraftRecord } from './draft-record.ts'
import { getDraft, readDraft } from './get.ts'
import { findOriginal } from './original.ts'
import { openEntry } from './sending.ts'

export interface SendDraft {
  readonly id: number
  /** Absent to send now. */
  readonly scheduleAt?: Date | undefined
  readonly binding?: Binding | undefined
}

/**
 * Sends a draft now or later, with what is attached to it. It goes when it has been sent, and stays when it has not;
 * asked twice at once, it is sent once, and both hear what became of it. Throws as `compose` and `awaitOutcome` do, and
 * `not_found`.
 */
export async function sendDraft(
  ctx: Needs<'store' | 'clock' | 'wake' | 'bodyRenderer'>,
  { id, scheduleAt, binding }: SendDraft,
): Promise<Submission> {
  const sendAt = scheduleAt && sendTime(ctx, 'schedule_at', scheduleAt)
  let outboxId: number | undefined
  while (outboxId === undefined) {
    const ready = await readyToSend(ctx, id)
    outboxId = await ctx.store.durableTransaction((tx) =>
      queueDraft(tx, { ...ready, sendAt, binding, nowMs: ctx.clock.now().getTime() }),
    )
  }
  ctx.wake.now('outbox')
  ctx.wake.now('changes')
  if (sendAt !== undefined) return { kind: 'scheduled', outboxId, sendAt }
  return { kind: 'sent', ...(await awaitOutcome(ctx, outboxId)) }
}

interface Ready {
  readonly draft: DraftRecord
  readonly composed: Composed
  readonly attachments: readonly StoredAttachment[]
}

async function readyToSend(ctx: Needs<'store' | 'bodyRenderer'>, id: number): Promise<Ready> {
  const draft = await getDraft(ctx, { id })
  const attachments = await listAttachments(ctx, { draftId: id })
  return { draft, composed: await composed(ctx, draft), attachments }
}

/** A draft is an answer also where what it answers is no longer here. */
async function composed(
  ctx: Needs<'store' | 'bodyRenderer'>,
  draft: DraftRecord,
): Promise<Composed> {
  const isForward = draft.kind === 'forward'
  const original =
    draft.inReplyTo === null || isForward
      ? undefined
      : await findOriginal(ctx.store.read, draft.inReplyTo)
  const made = await compose(ctx, {
    account: draft.account ?? undefined,
    to: splitAddressList('to', draft.to),
    cc: splitAddressList('cc', draft.cc),
    bcc: splitAddressList('bcc', draft.bcc),
    from: draft.from === null ? undefined : addressList([draft.from]),
    replyTo: draft.replyTo.map((address) => addressList([address])),
    subject: draft.subject,
    body: draft.body,
    mode: draft.mode,
    inReplyTo: original && (draft.inReplyTo ?? undefined),
  })
  const { inReplyToHeader, references } = draft
  if (original || isForward || inReplyToHeader === null) return made
  return { ...made, message: { ...made.message, inReplyToHeader, references } }
}

/** The entry under which it is sent; undefined where it was changed since it was read. */
async function queueDraft(
  tx: Tx,
  given: Ready & {
    readonly sendAt: number | undefined
    readonly binding: Binding | undefined
    readonly nowMs: number
  },
): Promise<number | undefined> {
  const { draft, composed: message, attachments, sendAt, binding, nowMs } = given
  const { revision } = await readDraft(tx, draft.id)
  const open = await openEntry(tx, draft.id)
  if (open && (!open.isImmediate || sendAt !== undefined))
    throw invalidRequest(`This draft is being sent already, as the outbox entry ${open.id}.`)
  if (!open && revision !== draft.revision) return undefined
  const isImmediate = sendAt === undefined
  const entityId =
    open?.id ??
    (
      await queueMessage(tx, {
        composed: message,
        attachments,
        isImmediate,
        sendAt: sendAt ?? nowMs,
        nowMs,
        draftId: draft.id,
      })
    ).outboxId
  await bindKey(tx, binding, { kind: 'outbox', entityId, nowMs })
  return entityId
}
