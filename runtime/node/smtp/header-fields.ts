import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs'
import type { OutgoingMessage } from '../../../db/schema/outbox.ts'
import type { OutgoingParts } from '../../ports/submission.ts'
import { needsSmtpUtf8, smtpAddress } from './smtp-address.ts'

type Mailbox = OutgoingMessage['from']

/** Of a line, before its CRLF (RFC 5322 section 2.1.1). */
const LINE_LENGTH = 76
const ENCODED_WORD_LENGTH = 52
/** A longer run without a space cannot be folded into lines of a good length. */
const WORD_LENGTH_MAX = 60
const MESSAGE_ID = /^[^\s<>\p{Cc}]{1,900}$/u
const ASCII = /^[\x20-\x7e]*$/
const FIELD_NAME = /^[!-9;-~]{1,60}$/
/** Written from other parts of a message, or never. */
const OWN_FIELDS =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|mime-version|content-.*|resent-.*)$/i

/** Whether the header needs RFC 6532. */
export function hasUtf8Header({ from, to, cc, replyTo }: OutgoingMessage): boolean {
  return [from, ...to, ...cc, ...replyTo].some(({ address }) => needsSmtpUtf8(address))
}

/**
 * The header fields of a message but for those of its content, each with its CRLF. Nothing that a value holds can end
 * its field. Throws an `Error` for an address, a name of a field or a Message-ID of its own that is none.
 */
export function headerFields({
  message,
  messageIdHeader,
  dateMs,
  isDraft = false,
}: OutgoingParts): string {
  const isUtf8 = hasUtf8Header(message)
  const isSayable = (id: string) => MESSAGE_ID.test(id) && (isUtf8 || ASCII.test(id))
  if (!isSayable(messageIdHeader)) throw new Error('The Message-ID is none.')
  const { inReplyToHeader = '', to, cc, headers = [] } = message
  const bracketed = (ids: readonly string[]) =>
    ids
      .filter(isSayable)
      .map((id) => `<${id}>`)
      .join(' ')
  // A header without any recipient makes some servers write one of their own.
  const isUndisclosed = !isDraft && to.length === 0 && cc.length === 0
  const fields: readonly (readonly [string, string])[] = [
    ['From', mailboxes([message.from])],
    ['To', isUndisclosed ? 'undisclosed-recipients:;' : mailboxes(to)],
    ['Cc', mailboxes(cc)],
    ['Bcc', isDraft ? mailboxes(message.bcc) : ''],
    ['Reply-To', mailboxes(message.replyTo)],
    ['Subject', text(message.subject)],
    ['Date', new Date(dateMs).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', bracketed([messageIdHeader])],
    ['In-Reply-To', bracketed([inReplyToHeader])],
    ['References', bracketed(message.references)],
    ...headers.map(({ name, value }) => [fieldName(name), text(value)] as const),
    ['MIME-Version', '1.0'],
  ]
  return fields
    .filter(([name, value]) => value !== '' || name === 'Subject')
    .map(([name, value]) => `${foldLines(`${name}: ${value}`, LINE_LENGTH)}\r\n`)
    .join('')
}

const mailboxes = (all: readonly Mailbox[]): string => all.map(mailbox).join(', ')

function mailbox({ name = '', address }: Mailbox): string {
  const said = smtpAddress(address)
  return name === '' ? said : `${phrase(name)} <${said}>`
}

function phrase(name: string): string {
  if (/^\w+(?: \w+)*$/.test(name) && isPlain(name)) return name
  return isPlain(name) ? quoteString(name) : encoded(name)
}

const text = (value: string): string => (isPlain(value) ? value : encoded(value))

/** Whether every reader takes the value for what it is, however its line is folded. */
const isPlain = (value: string): boolean =>
  ASCII.test(value) &&
  !value.includes('=?') &&
  !/^ | $| {2}/.test(value) &&
  value.split(' ').every((word) => word.length <= WORD_LENGTH_MAX)

/** RFC 2047; quoted-printable where most of it stays readable. */
function encoded(value: string): string {
  const letters = value.match(/[a-z]/gi)?.length ?? 0
  return encodeWord(value, letters * 2 > value.length ? 'Q' : 'B', ENCODED_WORD_LENGTH)
}

function fieldName(name: string): string {
  if (!FIELD_NAME.test(name) || OWN_FIELDS.test(name))
    throw new Error(`${JSON.stringify(name)} is not the name of a further header field.`)
  return name
}
