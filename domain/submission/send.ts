import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Binding } from '../idempotency/bind.ts'
import { storeAttachments } from './attachment-data.ts'
import type { AttachmentInput } from './attachment-input.ts'
import { compose, type ComposeInput } from './compose.ts'
import { sendTime } from './send-time.ts'
import { type Submission, submit } from './submit.ts'

export interface SendMessage extends ComposeInput {
  readonly attachments: readonly AttachmentInput[]
  /** Absent to send now. */
  readonly scheduleAt?: Date | undefined
  readonly binding?: Binding | undefined
}

/**
 * Sends a message now or later. Checks everything before it stores anything: throws as `compose`, `storeAttachments`
 * and `submit` do.
 */
export async function sendMessage(
  ctx: Needs<'store' | 'clock' | 'wake' | 'bodyRenderer'>,
  { attachments: inputs, scheduleAt, binding, ...input }: SendMessage,
): Promise<Submission> {
  const sendAt = scheduleAt && sendTime(ctx, 'schedule_at', scheduleAt)
  const composed = await compose(ctx, input)
  const attachments = await storeAttachments(ctx, inputs)
  return submit(ctx, { composed, attachments, sendAt, binding })
}
