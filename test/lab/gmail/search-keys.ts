import type { GmailMessage } from './message.ts'
import { canonicalFlag, headerField, sharedFlags } from './message.ts'
import type { Numbered } from './mailbox-view.ts'
import { decodeName } from './response-text.ts'
import { bodyHolds, hasHeader, headerHolds } from './searched-text.ts'
import { openView, type Session } from './session.ts'

/** Whether a message of the open mailbox is asked for. */
export type Criterion = (numbered: Numbered) => boolean

/** What follows a search key, read one after the other; what cannot be read is refused. */
export interface KeyArguments {
  readonly session: Session
  word(): string
  text(): string
  number(): number
  /** Midnight UTC. */
  dayMs(): number
  criterion(): Criterion
}

type Key = (args: KeyArguments) => Criterion

const of =
  (isMeant: (message: GmailMessage) => boolean): Criterion =>
  ({ seen }) =>
    isMeant(seen.message)

const ever =
  (isMeant: boolean): Key =>
  () =>
  () =>
    isMeant

/** A flag that all mailboxes show, or its absence; keywords have no case. */
const flag = (name: string, isSet: boolean): Criterion =>
  of((message) => {
    const flags = sharedFlags(message).map((known) => known.toLowerCase())
    return flags.includes(name.toLowerCase()) === isSet
  })

const deleted =
  (isSet: boolean): Key =>
  ({ session }) => {
    const { mailbox } = openView(session)
    return ({ seen }) => mailbox.deleted.has(seen.message) === isSet
  }

const flagKeys = Object.fromEntries(
  ['ANSWERED', 'DRAFT', 'FLAGGED', 'SEEN'].flatMap((name) => [
    [name, () => flag(`\\${name}`, true)],
    [`UN${name}`, () => flag(`\\${name}`, false)],
  ]),
) as Readonly<Record<string, Key>>

const inField =
  (name: string): Key =>
  (args) => {
    const text = args.text()
    return of((message) => headerHolds(message, text, name))
  }

const DAY_MS = 86_400_000

/** By the day alone; INTERNALDATE is kept in UTC. */
const dated =
  (
    dayOf: (message: GmailMessage) => number,
    compare: (day: number, asked: number) => boolean,
  ): Key =>
  (args) => {
    const asked = args.dayMs()
    return of((message) => compare(dayOf(message), asked))
  }

const internalDay = ({ internalDate }: GmailMessage) =>
  Math.floor(internalDate.getTime() / DAY_MS) * DAY_MS

/** As the header has it, whatever its zone; of none, no day. */
function headerDay({ source }: GmailMessage): number {
  const [, day] = /(\d{1,2} [a-z]{3} \d{4})/i.exec(headerField(source, 'Date')) ?? []
  return day === undefined ? Number.NaN : Date.parse(`${day} UTC`)
}

const before = (day: number, asked: number) => day < asked
const on = (day: number, asked: number) => day === asked
const since = (day: number, asked: number) => day >= asked

/** The search keys of RFC 3501 section 6.4.4 but for sets, of RFC 7162, and Gmail's own but for X-GM-RAW. */
export const SEARCH_KEYS: Readonly<Record<string, Key>> = {
  ...flagKeys,
  ALL: ever(true),
  BCC: inField('Bcc'),
  BEFORE: dated(internalDay, before),
  BODY(args) {
    const text = args.text()
    return of((message) => bodyHolds(message, text))
  },
  CC: inField('Cc'),
  DELETED: deleted(true),
  FROM: inField('From'),
  HEADER(args) {
    const [name, text] = [args.word(), args.text()]
    return of((message) => hasHeader(message, name) && headerHolds(message, text, name))
  },
  KEYWORD: (args) => flag(canonicalFlag(args.word()), true),
  LARGER(args) {
    const bytes = args.number()
    return of(({ source }) => source.length > bytes)
  },
  MODSEQ(args) {
    const modseq = BigInt(args.word())
    return of((message) => message.modseq >= modseq)
  },
  // Gmail never says \Recent.
  NEW: ever(false),
  NOT(args) {
    const negated = args.criterion()
    return (numbered) => !negated(numbered)
  },
  OLD: ever(true),
  ON: dated(internalDay, on),
  OR(args) {
    const [one, other] = [args.criterion(), args.criterion()]
    return (numbered) => one(numbered) || other(numbered)
  },
  RECENT: ever(false),
  SENTBEFORE: dated(headerDay, before),
  SENTON: dated(headerDay, on),
  SENTSINCE: dated(headerDay, since),
  SINCE: dated(internalDay, since),
  SMALLER(args) {
    const bytes = args.number()
    return of(({ source }) => source.length < bytes)
  },
  SUBJECT: inField('Subject'),
  TEXT(args) {
    const text = args.text()
    return of((message) => headerHolds(message, text) || bodyHolds(message, text))
  },
  TO: inField('To'),
  UNDELETED: deleted(false),
  UNKEYWORD: (args) => flag(canonicalFlag(args.word()), false),
  'X-GM-LABELS'(args) {
    const label = decodeName(args.word(), args.session).toLowerCase()
    return of(({ labels }) => [...labels].some((known) => known.toLowerCase() === label))
  },
  'X-GM-MSGID'(args) {
    const asked = args.word()
    return of(({ msgid }) => msgid === asked)
  },
  'X-GM-THRID'(args) {
    const asked = args.word()
    return of(({ threadId }) => threadId === asked)
  },
}
