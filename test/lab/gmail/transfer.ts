import { type Argument, textOf, textsOf } from './command.ts'
import { type GmailMailbox, type Home, takeHome } from './mailbox.ts'
import { type GmailMessage, setSharedFlag } from './message.ts'
import { Refusal } from './refusal.ts'
import { type Handler, namedMailbox, openView, type Session, writableView } from './session.ts'

/** The largest message Gmail takes (RFC 7889). */
export const APPEND_LIMIT = 35_651_584

/** COPY adds a label; into Spam or Trash it takes the message out of all other mailboxes. */
export const copyMessages: Handler = (session, { args: [set, name], isUid }) => {
  const target = namedMailbox(session, textOf(name), 'TRYCREATE')
  return `${transfer(session, openView(session).select(textOf(set), isUid), target)}(Success)`
}

/** MOVE is COPY without the label of the mailbox that is open; All Mail has none. */
export const moveMessages: Handler = (session, { args: [set, name], isUid }) => {
  const { mailbox } = writableView(session)
  const target = namedMailbox(session, textOf(name), 'TRYCREATE')
  const moved = openView(session).select(textOf(set), isUid)
  const copyUid = transfer(session, moved, target)
  if (copyUid !== '') session.write(`* OK ${copyUid}Moved\r\n`)
  if (mailbox !== target && 'label' in mailbox.home)
    for (const { seen } of moved) session.account.removeLabels(seen.message, [mailbox.home.label])
  return '(Success)'
}

function transfer(
  session: Session,
  chosen: ReturnType<ReturnType<typeof openView>['select']>,
  target: GmailMailbox,
): string {
  if (chosen.length === 0) return ''
  for (const { seen } of chosen)
    session.account.change(seen.message, (message) => {
      takeHome(target.home, message)
      if (target.specialUse === '\\Trash') loseLabels(message)
    })
  const sources = chosen.map(({ seen }) => seen.uid)
  const copies = chosen.map(({ seen }) => target.uids.get(seen.message))
  return `[COPYUID ${target.uidValidity} ${sources.join(',')} ${copies.join(',')}] `
}

/** What a program puts into Trash has no labels of the user any more, nor when it comes back. */
function loseLabels({ labels }: GmailMessage): void {
  for (const label of labels) if (!label.startsWith('\\')) labels.delete(label)
}

/** APPEND; of bytes that are there already it makes no second message. */
export const appendMessage: Handler = (session, { args: [name, ...rest] }) => {
  const { account } = session
  const target = namedMailbox(session, textOf(name), 'TRYCREATE')
  const source = Buffer.from(textOf(rest.at(-1)), 'latin1')
  if (source.length > APPEND_LIMIT) throw new Refusal('NO', '[TOOBIG] Message too large. (Failure)')
  const { flags, internalDate } = appendOptions(rest.slice(0, -1))
  const known = [...account.messages.values()].find((message) => message.source.equals(source))
  const message =
    known ??
    account.add(source, {
      labels: labelsOf(target.home),
      flags,
      ...(internalDate && { internalDate }),
    })
  if (known)
    account.change(known, () => {
      takeHome(target.home, known)
      for (const flag of flags) setSharedFlag(known, flag, true)
    })
  return `[APPENDUID ${target.uidValidity} ${target.uids.get(message)}] (Success)`
}

function appendOptions(options: readonly Argument[]) {
  const flags = options.filter((option) => typeof option !== 'string').flatMap(textsOf)
  const date = options.find((option) => typeof option === 'string')
  return { flags, internalDate: typeof date === 'string' ? new Date(date) : undefined }
}

function labelsOf(home: Home): readonly string[] {
  if ('label' in home) return [home.label]
  return home.place === 'all' ? [] : [home.place === 'spam' ? '\\Spam' : '\\Trash']
}
