import type { MessageBodies } from '../../runtime/ports/source-reader.ts'
import { htmlText, textOf } from './message-text.ts'
import { parseMessage } from './parse-message.ts'

/** A longer body is left out: whoever answers holds it in memory until its client has taken it. */
const BODY_CHARS_MAX = 2 * 1024 * 1024

/** Both bodies of a message. The HTML is as received: untrusted, nothing removed. Never throws. */
export async function messageBodies(source: Uint8Array): Promise<MessageBodies> {
  const message = await parseMessage(source)
  const text = textOf(message)
  const html = htmlText(message.html)
  return {
    ...(text === undefined || isTooLong(text) ? {} : { text }),
    ...(html === undefined || isTooLong(html) ? {} : { html }),
    ...(isTooLong(text) || isTooLong(html) ? { tooLong: true } : {}),
  }
}

const isTooLong = (body = '') => body.length > BODY_CHARS_MAX
