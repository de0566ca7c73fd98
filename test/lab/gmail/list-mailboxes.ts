import { type Argument, textOf, textsOf } from './command.ts'
import type { GmailMailbox } from './mailbox.ts'
import { decodeName, mailboxName } from './response-text.ts'
import { type Handler, namedMailbox, type Session, SUCCESS } from './session.ts'

/** LIST with the options of RFC 5258, 5819 and 6154; LSUB and XLIST answer alike. */
export const listMailboxes: Handler = (session, { name, args }) => {
  const [selection, rest] = Array.isArray(args[0]) ? [textsOf(args[0]), args.slice(1)] : [[], args]
  const [reference, patterns, , options] = rest
  if (selection.length === 0 && textOf(reference) === '' && patterns === '') {
    session.write(`* ${name} (\\Noselect) "/" "/"\r\n`)
    return SUCCESS
  }
  const { subscribed, statusItems } = returnOptions(options ?? [])
  const isWanted = pathMatcher(textsOf(patterns).map((p) => decodeName(p, session)))
  const onlySpecialUse = selection.some((option) => option.toUpperCase() === 'SPECIAL-USE')
  const listed = hierarchy(session.account.mailboxes).filter(
    ({ path, mailbox }) => isWanted(path) && (!onlySpecialUse || mailbox?.specialUse !== undefined),
  )
  // Gmail says so only to clients that know RFC 5258.
  const noMailbox = options === undefined ? '\\Noselect' : '\\NonExistent'
  for (const { path, mailbox, hasChildren } of listed) {
    const attributes = [
      ...(mailbox ? [] : [noMailbox]),
      ...(mailbox?.specialUse === undefined ? [] : [mailbox.specialUse]),
      hasChildren ? '\\HasChildren' : '\\HasNoChildren',
      ...(subscribed ? ['\\Subscribed'] : []),
    ]
    session.write(`* ${name} (${attributes.join(' ')}) "/" ${mailboxName(path, session)}\r\n`)
  }
  if (statusItems)
    for (const { mailbox } of listed) if (mailbox) writeStatus(session, mailbox, statusItems)
  return SUCCESS
}

export const status: Handler = (session, { args: [name, items] }) => {
  writeStatus(session, namedMailbox(session, textOf(name)), textsOf(items))
  return SUCCESS
}

function returnOptions(options: Argument) {
  const list = typeof options === 'string' ? [options] : options
  const names = list.map((option) => textOf(option).toUpperCase())
  const status = names.indexOf('STATUS')
  return {
    subscribed: names.includes('SUBSCRIBED'),
    ...(status !== -1 && { statusItems: textsOf(list[status + 1]) }),
  }
}

/** All mailboxes with the parents that are none, such as `[Gmail]`. */
function hierarchy(mailboxes: readonly GmailMailbox[]) {
  const byPath = new Map<string, GmailMailbox | undefined>()
  for (const mailbox of mailboxes) {
    const names = mailbox.path.split('/')
    for (const depth of names.keys()) {
      const path = names.slice(0, depth + 1).join('/')
      byPath.set(path, byPath.get(path) ?? mailboxes.find((other) => other.path === path))
    }
  }
  const paths = [...byPath.keys()]
  return [...byPath].map(([path, mailbox]) => ({
    path,
    mailbox,
    hasChildren: paths.some((other) => other.startsWith(`${path}/`)),
  }))
}

function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const source = pattern
      .replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('%', '[^/]*')
    return new RegExp(`^${source}$`, pattern.toUpperCase() === 'INBOX' ? 'iu' : 'u')
  })
  return (path) => expressions.some((expression) => expression.test(path))
}

function writeStatus(session: Session, mailbox: GmailMailbox, items: readonly string[]): void {
  const messages = [...mailbox.uids.keys()]
  const values: Readonly<Record<string, number | bigint>> = {
    MESSAGES: messages.length,
    RECENT: 0,
    UIDNEXT: mailbox.uidNext,
    UIDVALIDITY: mailbox.uidValidity,
    UNSEEN: messages.filter(({ keywords }) => !keywords.has('\\Seen')).length,
    HIGHESTMODSEQ: mailbox.highestModseq,
  }
  const answered = items
    .map((item) => item.toUpperCase())
    .filter((item) => values[item] !== undefined)
    .map((item) => `${item} ${values[item]}`)
  session.write(`* STATUS ${mailboxName(mailbox.path, session)} (${answered.join(' ')})\r\n`)
}
