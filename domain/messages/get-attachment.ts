import type { Needs } from '../../runtime/ports/runtime.ts'
import type { AttachmentDownload } from '../../runtime/ports/source-reader.ts'
import { notFound, upstream } from '../errors.ts'
import { getContent } from './get-content.ts'
import { readSource } from './read-source.ts'

/**
 * An attachment with its decoded bytes. Throws `not_found` for an index out of range and `upstream` when the
 * source cannot be had now, or does not hold what is listed.
 */
export async function getAttachment(
  ctx: Needs<'store' | 'sourceReader'>,
  input: { readonly messageId: number; readonly index: number; readonly signal?: AbortSignal },
): Promise<AttachmentDownload> {
  const content = await getContent(ctx, input.messageId)
  if (input.index >= content.attachments.length) throw notFound('attachment', input.index)
  const attachment = await readSource(
    ctx.sourceReader.attachment(content, input.index, input.signal),
  )
  if (!attachment) throw upstream('This attachment was not found in the source of its message.')
  return attachment
}
