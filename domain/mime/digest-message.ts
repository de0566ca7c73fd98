import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import { indexedBody, indexedHeader } from '../search/indexed-texts.ts'
import { parseAddresses } from './addresses.ts'
import { attachmentInfo } from './attachment-info.ts'
import { parseDate } from './date-header.ts'
import { decodeWords } from './encoded-words.ts'
import { headerBlock, unfoldHeaders } from './headers.ts'
import type { HeaderMap } from './headers.ts'
import { parseMessageIds, threadReferences } from './message-ids.ts'
import { linksInHtml, namesLink } from './links.ts'
import { htmlText, textOf } from './message-text.ts'
import { parseMessage } from './parse-message.ts'
import type { ParsedMessage } from './parse-message.ts'
import { makeSnippet } from './snippet.ts'

/** Everything the store keeps of a source. Never throws: what cannot be parsed gives what can be read. */
export async function digestMessage(source: Uint8Array): Promise<MessageDigest> {
  const headers = digestHeaders(source)
  const message = await parseMessage(source)
  const text = textOf(message)
  const attachments = message.attachments.map(attachmentInfo)
  const hasLink = isLinking(message, text ?? '')
  return {
    ...headers,
    ...(text === undefined ? {} : { text }),
    hasHtml: message.html.length > 0,
    hasLink,
    snippet: makeSnippet(text ?? ''),
    attachments,
    indexText: {
      ...headers.indexText,
      ...indexedBody({ text, attachments }),
    },
  }
}

/** The HTML is read only where the text leaves it open: decoding it takes time. */
const isLinking = (message: ParsedMessage, text: string): boolean =>
  namesLink(text) || linksInHtml(htmlText(message.html) ?? '')

/** The digest of the header block alone, for a source whose parts cannot be read. Never throws. */
export function digestHeaders(source: Uint8Array): MessageDigest {
  const headersRaw = headerBlock(source)
  const headers = unfoldHeaders(headersRaw)
  const first = (name: string): string => headers.get(name)?.[0] ?? ''
  const addresses = (name: string) => parseAddresses(headers.get(name) ?? [])
  const subject = decodeWords(first('subject')).toWellFormed()
  const from = addresses('from')
  const to = addresses('to')
  const cc = addresses('cc')
  const bcc = addresses('bcc')
  return {
    ...identification(headers),
    from,
    to,
    cc,
    bcc,
    replyTo: addresses('reply-to'),
    subject,
    hasHtml: false,
    hasLink: false,
    snippet: '',
    headersRaw,
    attachments: [],
    indexText: {
      ...indexedHeader({ subject, from, to, cc, bcc }),
      filenames: '',
      body: '',
    },
  }
}

type Identification = Pick<
  MessageDigest,
  'messageIdHeader' | 'inReplyToHeader' | 'references' | 'dateHeaderMs'
>

function identification(headers: HeaderMap): Identification {
  const first = (name: string): string => headers.get(name)?.[0] ?? ''
  const messageIdHeader = parseMessageIds(first('message-id'))[0]
  const inReplyToHeader = parseMessageIds(first('in-reply-to'))[0]
  const dateHeaderMs = parseDate(first('date'))
  return {
    ...(messageIdHeader === undefined ? {} : { messageIdHeader }),
    ...(inReplyToHeader === undefined ? {} : { inReplyToHeader }),
    references: threadReferences(headers.get('references')?.join(' ') ?? '', first('in-reply-to')),
    ...(dateHeaderMs === undefined ? {} : { dateHeaderMs }),
  }
}
