import type { OutgoingAttachment } from '../../ports/submission.ts'

/** How the bytes of an attachment are written (RFC 2045 section 6). */
type TransferEncoding = '7bit' | '8bit' | 'base64'

/** An attachment as it goes into a message. */
export interface Travelling {
  readonly attachment: OutgoingAttachment
  readonly contentType: string
  readonly encoding: TransferEncoding
}

const LINE_BYTES_MAX = 998
const CR = 13
const LF = 10

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:$|\s*;)/
const COMPOSITE = /^(?:multipart|message)\//i

/**
 * What the receiver gets is byte for byte what was attached. An attached message goes as it is, since none of its kind
 * may be encoded (RFC 2046 section 5.2.1); one with bytes above 127 so also to a server without 8BITMIME. Where lines
 * end otherwise than in CRLF, are longer than 998 octets or hold NUL, no mail server would leave them alone: such a
 * message goes encoded, as a plain file of the same name.
 */
export async function travelling(attachment: OutgoingAttachment): Promise<Travelling> {
  const contentType = attachment.contentType.trim()
  if (/^message\/rfc822(?:$|[\s;])/i.test(contentType)) {
    const encoding = await untouchedEncoding(attachment.content())
    if (encoding) return { attachment, contentType: 'message/rfc822', encoding }
  }
  const isPlainType = MEDIA_TYPE.test(contentType) && !COMPOSITE.test(contentType)
  return {
    attachment,
    contentType: isPlainType ? contentType : 'application/octet-stream',
    encoding: 'base64',
  }
}

/** Undefined where mail servers would change the bytes (RFC 2045 sections 2.7 to 2.9). */
async function untouchedEncoding(
  blocks: AsyncIterable<Uint8Array>,
): Promise<'7bit' | '8bit' | undefined> {
  let isEightBit = false
  let lineBytes = 0
  let previous = 0
  for await (const block of blocks)
    for (const byte of block) {
      const isEnd = previous === CR && byte === LF
      if (byte === 0 || (previous === CR) !== (byte === LF)) return undefined
      if (byte > 127) isEightBit = true
      // Its CR has been counted.
      lineBytes = isEnd ? 0 : lineBytes + 1
      if (lineBytes > LINE_BYTES_MAX + 1) return undefined
      previous = byte
    }
  if (previous === CR) return undefined
  return isEightBit ? '8bit' : '7bit'
}
