import type { MessageBodies } from '../../runtime/ports/source-reader.ts'
import { htmlText, textOf } from './message-text.ts'
import { parseMessage } from './parse-message.ts'

/** Both bodies of a message. The HTML is as received: untrusted, nothing removed. Never throws. */
export async function messageBodies(source: Uint8Array): Promise<MessageBodies> {
  const message = await parseMessage(source)
  const text = textOf(message)
  const html = htmlText(message.html)
  return { ...(text === undefined ? {} : { text }), ...(html === undefined ? {} : { html }) }
}
