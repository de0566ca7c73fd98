import { textOf, textsOf } from './command.ts'
import type { Numbered, Seen } from './mailbox-view.ts'
import { type GmailMessage, headerBlock, headerField } from './message.ts'
import { Refusal } from './refusal.ts'
import { dateTime, labelName } from './response-text.ts'
import { type Handler, openView, type Session, SUCCESS } from './session.ts'

type Part = string | Buffer

/** FETCH and UID FETCH of what a sync needs; with CHANGEDSINCE of RFC 7162, where a changed label counts as well. */
export const fetchMessages: Handler = (session, { args: [set, list, modifiers], isUid }) => {
  const view = openView(session)
  const items = textsOf(list).map((item) => item.toUpperCase())
  const [modifier, modseq] = textsOf(modifiers)
  const changedSince = modifier?.toUpperCase() === 'CHANGEDSINCE' ? BigInt(modseq ?? 0) : undefined
  if (isUid && !items.includes('UID')) items.unshift('UID')
  if (changedSince !== undefined && !items.includes('MODSEQ')) items.push('MODSEQ')
  if (items.includes('MODSEQ')) session.enabled.add('CONDSTORE')
  for (const numbered of view.select(textOf(set), isUid)) {
    const { message } = numbered.seen
    if (changedSince !== undefined && message.modseq <= changedSince) continue
    if (!view.isReadOnly && items.some((item) => item.startsWith('BODY[')))
      session.account.change(message, ({ keywords }) => keywords.add('\\Seen'))
    writeFetch(session, numbered, items)
  }
  return SUCCESS
}

/** One FETCH response with these items, which are in upper case. */
export function writeFetch(session: Session, { seq, seen }: Numbered, items: readonly string[]) {
  const parts = items.flatMap((item) => [' ', ...itemParts(session, seen, item)]).slice(1)
  if (items.includes('FLAGS')) seen.modseq = seen.message.modseq
  const whole = [`* ${seq} FETCH (`, ...parts, ')\r\n']
  session.write(Buffer.concat(whole.map((part) => Buffer.from(part))))
}

function itemParts(session: Session, { uid, message }: Seen, item: string): readonly Part[] {
  const view = openView(session)
  switch (item) {
    case 'UID':
      return [`UID ${uid}`]
    case 'FLAGS':
      return [`FLAGS ${view.flags(message)}`]
    case 'INTERNALDATE':
      return [`INTERNALDATE ${dateTime(message.internalDate)}`]
    case 'RFC822.SIZE':
      return [`RFC822.SIZE ${message.source.length}`]
    case 'MODSEQ':
      return [`MODSEQ (${message.modseq})`]
    case 'X-GM-MSGID':
      return [`X-GM-MSGID ${message.msgid}`]
    case 'X-GM-THRID':
      return [`X-GM-THRID ${message.threadId}`]
    case 'X-GM-LABELS':
      return [`X-GM-LABELS (${shownLabels(session, message).join(' ')})`]
    default:
      return bodySection(message.source, item)
  }
}

/** All labels but that of the open mailbox itself. */
function shownLabels(session: Session, { labels }: GmailMessage): readonly string[] {
  const { home } = openView(session).mailbox
  const own = 'label' in home ? home.label : undefined
  return [...labels].filter((label) => label !== own).map((label) => labelName(label, session))
}

function bodySection(source: Buffer, item: string): readonly Part[] {
  const [, section, start, length] =
    /^BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/.exec(item) ?? []
  const content = section === undefined ? undefined : sectionContent(source, section)
  if (content === undefined) throw new Refusal('BAD', 'Could not parse command')
  const from = Number(start ?? 0)
  const bytes = start === undefined ? content : content.subarray(from, from + Number(length ?? 0))
  const origin = start === undefined ? '' : `<${start}>`
  return [`BODY[${section}]${origin} {${bytes.length}}\r\n`, bytes]
}

function sectionContent(source: Buffer, section: string): Buffer | undefined {
  const header = headerBlock(source)
  if (section === '') return source
  if (section === 'HEADER') return header
  if (section === 'TEXT') return source.subarray(header.length)
  const names = /^HEADER\.FIELDS \(([^)]*)\)$/.exec(section)?.[1]?.split(' ')
  if (!names) return undefined
  const fields = names.map((name) => [name, headerField(source, name)] as const)
  const lines = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${lines.join('')}\r\n`, 'latin1')
}
