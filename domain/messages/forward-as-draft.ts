import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest, notFound } from '../errors.ts'
import type { Binding } from '../idempotency/bind.ts'
import { getContent } from './get-content.ts'
import { getSource } from './get-source.ts'
import { storeAttachmentBytes } from '../submission/attachment-data.ts'
import type { DraftRecord } from '../drafts/draft-record.ts'
import { findOriginal } from '../drafts/original.ts'
import { storeDraft } from '../drafts/store.ts'

/** What may be attached to a message in all. */
const SOURCE_BYTES_MAX = 25 * 1024 * 1024
/** Characters of a subject that a file name takes over. */
const NAME_CHARS = 60

export interface ForwardAsDraft {
  readonly messageId: number
  readonly signal?: AbortSignal | undefined
  readonly binding?: Binding | undefined
}

/**
 * Makes a draft to which a message is attached byte for byte (message/rfc822); never sends it. Throws `not_found`,
 * `upstream` when the source cannot be had, and `invalid_request` when it is too large to be sent. `KeyTaken` with
 * nothing stored.
 */
export async function forwardAsDraft(
  ctx: Needs<'store' | 'clock' | 'wake' | 'sourceReader'>,
  { messageId, signal, binding }: ForwardAsDraft,
): Promise<DraftRecord> {
  const original = await findOriginal(ctx.store.read, messageId)
  if (!original) throw notFound('message', messageId)
  const { size } = await getContent(ctx, messageId)
  if (size > SOURCE_BYTES_MAX) throw invalidRequest('This message is too large to be attached.')
  const { stream } = await getSource(ctx, { messageId, ...(signal && { signal }) })
  const attachment = await storeAttachmentBytes(ctx, {
    filename: fileNameOf(original.subject),
    contentType: 'message/rfc822',
    bytes: stream,
  })
  const draft = {
    accountId: original.accountId,
    kind: 'forward' as const,
    subject: forwardSubject(original.subject),
    inReplyTo: messageId,
    attachments: [attachment],
  }
  const created = await storeDraft(ctx, draft, binding)
  ctx.wake.now('changes')
  return created
}

/** The subject of a message that forwards one with this subject; one that says so already stays. */
const forwardSubject = (subject: string): string => {
  const line = subject.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return /^(fwd?|wg)\s*:/i.test(line) ? line : `Fwd: ${line}`.trim()
}

const fileNameOf = (subject: string): string => {
  const name = subject
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, NAME_CHARS)
    .toWellFormed()
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  return `${name === '' ? 'message' : name}.eml`
}
