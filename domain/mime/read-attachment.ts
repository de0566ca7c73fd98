import type { AttachmentContent } from '../../runtime/ports/mime-parser.ts'
import { attachmentInfo } from './attachment-info.ts'
import { bytesOf, parseMessage } from './parse-message.ts'

/** The attachment at `index` of the digest's list, its bytes exactly as sent; undefined when there is none. */
export async function readAttachment(
  source: Uint8Array,
  index: number,
): Promise<AttachmentContent | undefined> {
  const { attachments } = await parseMessage(source)
  const leaf = attachments[index]
  return leaf && { info: attachmentInfo(leaf, index), bytes: bytesOf(leaf).slice() }
}
