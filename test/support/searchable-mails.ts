import type { Random } from '../../cli/commands/local/demo/random.ts'
import type { SearchExpression, SearchField } from '../../domain/search/expression.ts'
import { indexText } from '../../domain/search/index-text.ts'

const DAY_MS = 86_400_000
const WORDS = [
  'engine',
  'loom',
  'note',
  'notebook',
  'Café',
  'résumé',
  'Straße',
  '日本語',
  'ワイン',
  'x1',
]
const PEOPLE = ['ada', 'grace', 'charles']
const KEYWORDS = ['Work', 'later', 'to&ACA-do']
const FLAGS = ['\\Seen', '\\Flagged', '\\Answered']

/** A mail that tests search for, by what they search it for. */
export interface SearchableMail {
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly subject: string
  readonly body: string
  readonly flags: readonly string[]
  readonly dateMs: number
  readonly internalDateMs: number
  /** Without angle brackets. */
  readonly messageIdHeader: string
  readonly source: string
}

export function randomMail(random: Random, number: number): SearchableMail {
  const some = (max: number) =>
    Array.from({ length: random.integer(1, max) }, () => random.pick(WORDS)).join(
      random.pick([' ', ', ', ' / ']),
    )
  const person = () => `${random.pick(PEOPLE)}@${random.pick(['example.org', 'mail.example.com'])}`
  const written = { from: person(), to: person(), cc: person(), subject: some(3), body: some(9) }
  const internalDateMs = Date.UTC(2026, 2, random.integer(1, 28), random.integer(0, 23), 30)
  // As it is trusted here: not later than a day after it came.
  const dateMs = internalDateMs - random.integer(-20, 24 * 20) * 3_600_000
  const messageIdHeader = `${number}.${random.integer(1, 9)}@example.org`
  const source = sourceOf({ ...written, dateMs, messageIdHeader }, random.pick([0, 9, -11]))
  const flags = [...FLAGS, ...KEYWORDS].filter(() => random.fraction() < 0.3)
  return { ...written, flags, dateMs, internalDateMs, messageIdHeader, source }
}

type Written = Omit<SearchableMail, 'source' | 'flags' | 'internalDateMs'>

function sourceOf(
  { from, to, cc, subject, body, dateMs, messageIdHeader }: Written,
  zoneHours: number,
): string {
  const local = new Date(dateMs + zoneHours * 3_600_000).toUTCString().replace(/ GMT$/, '')
  const sign = zoneHours < 0 ? '-' : '+'
  const zone = `${sign}${String(Math.abs(zoneHours)).padStart(2, '0')}00`
  return [
    `From: <${from}>`,
    `To: <${to}>`,
    `Cc: <${cc}>`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: ${local} ${zone}`,
    `Message-ID: <${messageIdHeader}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body).toString('base64'),
    '',
  ].join('\r\n')
}

/** A query of a few levels that some mails of these are meant by. */
export function randomExpression(random: Random, depth = 3): SearchExpression {
  const kind = depth === 0 ? 'leaf' : random.pick(['leaf', 'leaf', 'and', 'or', 'not'] as const)
  const inner = () => randomExpression(random, depth - 1)
  if (kind === 'and' || kind === 'or') return { kind, of: [inner(), inner()] }
  if (kind === 'not') return { kind, of: inner() }
  return random.pick([randomText, randomText, randomFact])(random)
}

function randomText(random: Random): SearchExpression {
  const field = random.pick<SearchField>(['any', 'from', 'to', 'cc', 'subject', 'body'])
  const words = [
    ...WORDS,
    ...PEOPLE,
    'ada@example.org',
    'example.org',
    'cafe',
    'CAFÉ',
    '本語',
    'not',
  ]
  const text = [random.pick(words), ...(random.fraction() < 0.2 ? [random.pick(words)] : [])]
  return { kind: 'text', field, text: text.join(' '), isPrefix: random.fraction() < 0.2 }
}

function randomFact(random: Random): SearchExpression {
  return random.pick<(random: Random) => SearchExpression>([
    exactFact,
    exactFact,
    () => {
      const fromMs = Date.UTC(2026, 2, random.integer(-5, 30))
      const beforeMs = fromMs + random.integer(1, 9) * DAY_MS
      const range = random.pick([{ fromMs }, { beforeMs }, { fromMs, beforeMs }])
      return { kind: 'date', ...range }
    },
    () => ({ kind: 'message_id', messageIdHeader: `${random.integer(1, 60)}.5@example.org` }),
    () => ({ kind: 'label', label: 'to do' }),
  ])(random)
}

/** What a server can be asked exactly. */
export function exactFact(random: Random): SearchExpression {
  return random.pick<SearchExpression>([
    { kind: 'trait', trait: random.pick(['read', 'starred', 'answered'] as const) },
    { kind: 'label', label: random.pick(['work', 'Later', 'nowhere']) },
    {
      kind: 'size',
      than: random.pick(['larger', 'smaller'] as const),
      bytes: random.integer(380, 520),
    },
  ])
}

/** Whether a query means a mail, by the words of the contract and nothing else. */
export function isMeant(expression: SearchExpression, mail: SearchableMail): boolean {
  const { kind } = expression
  if (kind === 'and') return expression.of.every((member) => isMeant(member, mail))
  if (kind === 'or') return expression.of.some((member) => isMeant(member, mail))
  if (kind === 'not') return !isMeant(expression.of, mail)
  if (kind === 'text')
    return textsOf(mail, expression.field).some((text) => holds(text, expression))
  if (kind === 'trait') return mail.flags.includes(TRAITS[expression.trait] ?? '')
  if (kind === 'message_id') return mail.messageIdHeader === expression.messageIdHeader
  if (kind === 'label') {
    const keyword = expression.label.replace(' ', '&ACA-').toLowerCase()
    return mail.flags.some((flag) => flag.toLowerCase() === keyword)
  }
  if (kind === 'date') {
    const { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = expression
    return mail.dateMs >= fromMs && mail.dateMs < beforeMs
  }
  if (kind === 'size') {
    const size = Buffer.byteLength(mail.source)
    return expression.than === 'larger' ? size > expression.bytes : size < expression.bytes
  }
  throw new Error('No mail alone can tell.')
}

const TRAITS: Readonly<Record<string, string>> = {
  read: '\\Seen',
  starred: '\\Flagged',
  answered: '\\Answered',
}

function textsOf(mail: SearchableMail, field: SearchField): readonly string[] {
  const { from, to, cc, subject, body } = mail
  const fields = { from, to, cc, subject, body, bcc: '', filename: '' }
  return field === 'any' ? Object.values(fields) : [fields[field]]
}

function holds(text: string, { text: sought, isPrefix }: { text: string; isPrefix: boolean }) {
  const words = ` ${indexText(text)} `
  return words.includes(isPrefix ? ` ${indexText(sought)}` : ` ${indexText(sought)} `)
}
