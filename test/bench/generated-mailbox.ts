import type { StoredMessage } from '../../cli/commands/local/demo/maildir.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { Random } from '../../cli/commands/local/demo/random.ts'
import { unevenWord, wordSource } from './generated-words.ts'
import type { WordSource } from './generated-words.ts'

const SEED = 20_250_101
const NEWEST = Date.UTC(2025, 11, 31, 12)
const INTERVAL_MS = 20 * 60_000
const ATTACHMENT_POOL_BYTES = 1 << 20
/** How far back a reply may reach, in messages. */
const REPLY_REACH = 200

/** Senders are numbered from 1. */
export const SENDERS = 400

/** What the messages are made of. */
export interface Vocabulary {
  /** Gives the words of all texts, one after the other. */
  readonly wordsBy: (random: Random) => () => string
  readonly nameOf: (sender: number) => string
  /** Gives the mailboxes that each message goes to as well (RFC 5322, 3.4), one message after the other. */
  readonly copiedTo?: () => readonly string[]
}

const USUAL: Vocabulary = { wordsBy: unevenWord, nameOf: (sender) => `Sender ${sender}` }

/** Relative frequency of each shape; together with the sizes below about 14 KB on average. */
const SHAPES: readonly (readonly [shape: Shape, weight: number])[] = [
  ['plain', 38],
  ['alternative', 29],
  ['newsletter', 14],
  ['attachment', 10],
  ['cjk', 9],
]

type Shape = 'plain' | 'alternative' | 'newsletter' | 'attachment' | 'cjk'

interface Workshop extends Pick<Vocabulary, 'nameOf' | 'copiedTo'> {
  readonly random: Random
  readonly words: WordSource
  readonly noise: Buffer
}

interface Thread {
  readonly subject: string
  readonly messageIds: readonly string[]
}

/**
 * `count` messages, oldest first, made one by one: the same bytes on every machine and in every run. A third
 * are replies, a sixth are unread.
 */
export function* generatedMailbox(
  count = 20_000,
  { wordsBy, ...names }: Vocabulary = USUAL,
): Generator<StoredMessage> {
  const random = seededRandom(SEED)
  const noise = Buffer.alloc(ATTACHMENT_POOL_BYTES)
  for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE(random.fraction() * 2 ** 32, at)
  const workshop = { random, words: wordSource(random, wordsBy(random)), noise, ...names }
  const threads: Thread[] = []
  for (let n = 0; n < count; n += 1) {
    const internalDate = new Date(NEWEST - (count - 1 - n) * INTERVAL_MS)
    const shape = pickShape(random)
    const isReply = shape !== 'newsletter' && threads.length > 0 && random.fraction() < 0.45
    const replyTo = isReply
      ? threads.at(-random.integer(1, Math.min(REPLY_REACH, threads.length)))
      : undefined
    const thread = {
      subject: replyTo?.subject ?? workshop.words.words(random.integer(2, 8)),
      messageIds: [
        ...(replyTo?.messageIds.slice(-9) ?? []),
        `${n}.${random.integer(1e8, 1e9)}@bench.test`,
      ],
    }
    threads.push(thread)
    if (threads.length > REPLY_REACH) threads.shift()
    const head = headersOf(workshop, { thread, internalDate, shape })
    const source = Buffer.from(`${head}\r\n${BODIES[shape](workshop)}`)
    yield { source, internalDate, flags: flagsOf(random) }
  }
}

function pickShape(random: Random): Shape {
  let left = random.fraction() * SHAPES.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [shape, weight] of SHAPES) {
    left -= weight
    if (left < 0) return shape
  }
  return 'plain'
}

function flagsOf(random: Random): readonly string[] {
  const flags = random.fraction() < 5 / 6 ? ['\\Seen'] : []
  if (random.fraction() < 0.04) flags.push('\\Flagged')
  if (random.fraction() < 0.15) flags.push('\\Answered')
  return flags
}

function headersOf(
  { random, words, nameOf, copiedTo }: Workshop,
  { thread, internalDate, shape }: { thread: Thread; internalDate: Date; shape: Shape },
): string {
  const sender = random.integer(1, SENDERS)
  const ids = thread.messageIds.map((id) => `<${id}>`)
  const references = ids.slice(0, -1)
  const subject = references.length > 0 ? `Re: ${thread.subject}` : thread.subject
  const lines = [
    `Received: from mx${sender % 7}.bench.test by mail.bench.test with ESMTPS; ${rfc5322(internalDate)}`,
    `From: ${nameOf(sender)} <sender${sender}@bench.test>`,
    `To: Reader <reader@bench.test>`,
    `Subject: ${shape === 'cjk' ? encodedWord(words.ideographs(12)) : subject}`,
    `Date: ${rfc5322(internalDate)}`,
    `Message-ID: ${ids.at(-1)}`,
    'MIME-Version: 1.0',
  ]
  const copies = copiedTo?.() ?? []
  if (copies.length > 0) lines.push(`Cc: ${copies.join(',\r\n ')}`)
  if (references.length > 0)
    lines.push(`In-Reply-To: ${references.at(-1)}`, `References: ${references.join('\r\n ')}`)
  if (shape === 'newsletter')
    lines.push(
      `List-Id: <list${sender % 20}.bench.test>`,
      `List-Unsubscribe: <https://bench.test/unsubscribe/${sender}>`,
    )
  return lines.join('\r\n')
}

const rfc5322 = (date: Date) => date.toUTCString().replace('GMT', '+0000')

const encodedWord = (text: string) => `=?UTF-8?B?${Buffer.from(text.trim()).toString('base64')}?=`

const base64Lines = (bytes: Buffer) => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')

const UTF8 = 'charset=utf-8\r\nContent-Transfer-Encoding:'

const BODIES: Readonly<Record<Shape, (workshop: Workshop) => string>> = {
  plain: ({ random, words }) =>
    `Content-Type: text/plain; ${UTF8} 7bit\r\n\r\n${words.text(random.integer(400, 6_000))}`,
  alternative: ({ random, words }) => {
    const text = words.text(random.integer(800, 6_000))
    return multipart('alternative', [
      `Content-Type: text/plain; ${UTF8} 7bit\r\n\r\n${text}`,
      `Content-Type: text/html; ${UTF8} 7bit\r\n\r\n${htmlOf(text)}`,
    ])
  },
  newsletter: ({ random, words }) =>
    `Content-Type: text/html; ${UTF8} 7bit\r\n\r\n${htmlOf(words.text(random.integer(6_000, 22_000)))}`,
  attachment: ({ random, words, noise }) => {
    const length = random.integer(4_000, 99_000)
    const from = random.integer(0, noise.length - length)
    const name = `${words.words(1)}-${random.integer(1, 999)}.pdf`
    return multipart('mixed', [
      `Content-Type: text/plain; ${UTF8} 7bit\r\n\r\n${words.text(random.integer(200, 2_000))}`,
      `Content-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
        `Content-Transfer-Encoding: base64\r\n\r\n${base64Lines(noise.subarray(from, from + length))}\r\n`,
    ])
  },
  cjk: ({ random, words }) =>
    `Content-Type: text/plain; ${UTF8} base64\r\n\r\n` +
    `${base64Lines(Buffer.from(words.ideographs(random.integer(200, 2_500))))}\r\n`,
}

/** The boundary holds `_` and `=`, which no generated text does. */
function multipart(kind: 'alternative' | 'mixed', parts: readonly string[]): string {
  const body = parts.map((part) => `--=_part\r\n${part}`).join('\r\n')
  return `Content-Type: multipart/${kind}; boundary="=_part"\r\n\r\n${body}\r\n--=_part--\r\n`
}

function htmlOf(text: string): string {
  const paragraphs = text.trim().split('\r\n\r\n')
  const cells = paragraphs.map(
    (paragraph) =>
      `<tr><td style="padding:8px;font-family:sans-serif">\r\n<p>${paragraph}</p>\r\n` +
      `<a href="https://bench.test/read?id=${paragraph.length}">Read more</a></td></tr>\r\n`,
  )
  return `<!doctype html><html><body><table width="600">\r\n${cells.join('')}</table></body></html>\r\n`
}
