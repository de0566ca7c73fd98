import type { AttachmentInfo } from '../../db/schema/contents.ts'
import { attachmentInfo } from './attachment-info.ts'
import { bytesOf, parseMessage } from './parse-message.ts'

/** An attachment with its decoded bytes. */
export interface AttachmentContent {
  readonly info: AttachmentInfo
  /** May be a view into the source. */
  readonly bytes: Uint8Array
}

/** The attachment at `index` of the digest's list, its bytes exactly as sent; undefined when there is none. */
export async function readAttachment(
  source: Uint8Array,
  index: number,
): Promise<AttachmentContent | undefined> {
  const { attachments } = await parseMessage(source)
  const leaf = attachments[index]
  if (!leaf) return undefined
  const bytes = bytesOf(leaf)
  return { info: attachmentInfo(leaf, index, bytes), bytes }
}
