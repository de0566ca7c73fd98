import { textOf, textsOf } from './command.ts'
import { writeFetch } from './fetch.ts'
import { canonicalFlag, type GmailMessage, setSharedFlag, sharedFlags } from './message.ts'
import type { Numbered } from './mailbox-view.ts'
import { Refusal } from './refusal.ts'
import { decodeName } from './response-text.ts'
import { type Handler, type Session, SUCCESS, writableView } from './session.ts'

type Sign = '+' | '-' | ''

interface Change {
  readonly sign: Sign
  readonly names: readonly string[]
}

/** STORE and UID STORE of FLAGS and X-GM-LABELS; with UNCHANGEDSINCE of RFC 7162. */
export const storeMessages: Handler = (session, { args: [set, ...rest], isUid }) => {
  const view = writableView(session)
  const [modifiers, item, list] = rest.length === 3 ? rest : [undefined, ...rest]
  const [, sign = '', name = '', silent] =
    /^([+-]?)(FLAGS|X-GM-LABELS)(\.SILENT)?$/.exec(textOf(item).toUpperCase()) ?? []
  if (name === '') throw new Refusal('BAD', 'Could not parse command')
  const [, unchangedSince] = textsOf(modifiers)
  const store = name === 'FLAGS' ? storeFlags : storeLabels
  const modified: number[] = []
  for (const numbered of view.select(textOf(set), isUid)) {
    const { uid, message } = numbered.seen
    if (unchangedSince !== undefined && message.modseq > BigInt(unchangedSince)) {
      modified.push(isUid ? uid : numbered.seq)
      continue
    }
    store(session, message, { sign: sign as Sign, names: textsOf(list) })
    answer(session, numbered, silent === undefined ? [name] : [])
    if (session.account.autoExpunge && view.mailbox.deleted.has(message))
      session.account.expunge(view.mailbox, message)
  }
  return modified.length === 0
    ? SUCCESS
    : `[MODIFIED ${modified.join(',')}] Conditional STORE failed`
}

function answer(session: Session, numbered: Numbered, asked: readonly string[]): void {
  // Also a silent STORE tells the mod-sequence (RFC 7162 section 3.1.3).
  const items = session.enabled.has('CONDSTORE') ? [...asked, 'MODSEQ'] : asked
  if (items.length > 0) writeFetch(session, numbered, ['UID', ...items])
  numbered.seen.modseq = numbered.seen.message.modseq
}

function storeFlags(session: Session, message: GmailMessage, { sign, names }: Change): void {
  const { mailbox } = writableView(session)
  const flags = names.map(canonicalFlag)
  const dropped = sign === '' ? sharedFlags(message).filter((flag) => !flags.includes(flag)) : []
  session.account.change(message, () => {
    for (const flag of dropped) setSharedFlag(message, flag, false)
    for (const flag of flags) if (flag !== '\\Deleted') setSharedFlag(message, flag, sign !== '-')
  })
  const isNamed = flags.includes('\\Deleted')
  if (isNamed || sign === '') session.account.setDeleted(mailbox, message, isNamed && sign !== '-')
}

function storeLabels(session: Session, message: GmailMessage, { sign, names }: Change): void {
  const { account } = session
  const { home } = writableView(session).mailbox
  const labels = names.map((name) => systemLabel(name) ?? decodeName(name, session))
  if (sign === '+') account.addLabels(message, labels)
  else if (sign === '-') account.removeLabels(message, labels)
  else {
    // The label of the open mailbox is not among those a client sees here, so it stays.
    const own = 'label' in home && message.labels.has(home.label) ? [home.label] : []
    account.setLabels(message, [...own, ...labels])
  }
}

const SYSTEM_LABELS = [
  '\\Inbox',
  '\\Sent',
  '\\Draft',
  '\\Starred',
  '\\Important',
  '\\Muted',
  '\\Spam',
  '\\Trash',
]

function systemLabel(name: string): string | undefined {
  if (!name.startsWith('\\')) return undefined
  const label = SYSTEM_LABELS.find((known) => known.toLowerCase() === name.toLowerCase())
  if (label === undefined) throw new Refusal('BAD', 'Could not parse command')
  return label
}
