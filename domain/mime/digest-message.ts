import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import { indexText } from '../search/index-text.ts'
import { parseAddresses } from './addresses.ts'
import { attachmentInfo } from './attachment-info.ts'
import { parseDate } from './date-header.ts'
import { decodeWords } from './encoded-words.ts'
import { headerBlock, unfoldHeaders } from './headers.ts'
import type { HeaderMap } from './headers.ts'
import { parseMessageIds, threadReferences } from './message-ids.ts'
import { textOf } from './message-text.ts'
import { bytesOf, parseMessage } from './parse-message.ts'
import { makeSnippet } from './snippet.ts'

/** Everything the store keeps of a source. Never throws: what cannot be parsed gives what can be read. */
export async function digestMessage(source: Uint8Array): Promise<MessageDigest> {
  const headers = digestHeaders(source)
  const message = await parseMessage(source)
  const text = textOf(message)
  const attachments = message.attachments.map((leaf, index) =>
    attachmentInfo(leaf, index, bytesOf(leaf)),
  )
  const filenames = attachments.map(({ filename }) => filename).join('\n')
  return {
    ...headers,
    ...(text === undefined ? {} : { text }),
    hasHtml: message.html.length > 0,
    snippet: makeSnippet(text ?? ''),
    attachments,
    indexText: {
      ...headers.indexText,
      filenames: indexText(filenames),
      body: indexText(text ?? ''),
    },
  }
}

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
    snippet: '',
    headersRaw,
    attachments: [],
    indexText: {
      subject: indexText(subject),
      sender: indexText(written(from)),
      recipients: indexText(written([...to, ...cc, ...bcc])),
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

const written = (addresses: MessageDigest['from']): string =>
  addresses.map(({ name, address }) => `${name ?? ''} ${address}`).join('\n')
