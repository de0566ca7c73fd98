import type { AttachmentContent } from '../../runtime/ports/mime-parser.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound, upstream } from '../errors.ts'
import { getContent } from './get-content.ts'
import { readSource } from './read-source.ts'

/**
 * An attachment with its decoded bytes. Throws `not_found` for an index out of range and `upstream` when the
 * source cannot be had now.
 */
export async function getAttachment(
  ctx: Needs<'store' | 'sourceStore' | 'mimeParser'>,
  input: { readonly messageId: number; readonly index: number },
): Promise<AttachmentContent> {
  const content = await getContent(ctx, input.messageId)
  if (input.index >= content.attachments.length) throw notFound('attachment', input.index)
  const source = await readSource(ctx, content)
  const attachment = await ctx.mimeParser
    .attachment(source, input.index)
    .catch((cause: unknown) => {
      throw upstream('The source of this message could not be read.', cause)
    })
  if (!attachment) throw notFound('attachment', input.index)
  return attachment
}
