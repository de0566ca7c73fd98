import { isUserLabel } from './account.ts'
import { textOf } from './command.ts'
import { GMAIL_ROOT, type GmailMailbox } from './mailbox.ts'
import { Refusal } from './refusal.ts'
import { decodeName } from './response-text.ts'
import { type Handler, namedMailbox, type Session, SUCCESS } from './session.ts'

export const createMailbox: Handler = (session, { args: [name] }) => {
  session.account.createLabel(newPath(session, textOf(name)))
  return SUCCESS
}

/** Takes the label off its messages, which stay in All Mail. */
export const deleteMailbox: Handler = (session, { args: [name] }) => {
  session.account.deleteLabel(changeable(session, textOf(name)))
  return SUCCESS
}

export const renameMailbox: Handler = (session, { args: [from, to] }) => {
  const mailbox = changeable(session, textOf(from))
  session.account.renameLabel(mailbox, newPath(session, textOf(to)))
  return SUCCESS
}

function newPath(session: Session, name: string): string {
  const path = decodeName(name, session).replace(/\/$/, '')
  if (path === '' || `${path}/`.startsWith(`${GMAIL_ROOT}/`))
    throw new Refusal('NO', `[CANNOT] Invalid folder name: ${name} (Failure)`)
  if (session.account.mailbox(path) ?? session.account.userLabel(path))
    throw new Refusal('NO', `[ALREADYEXISTS] Duplicate folder name ${name} (Failure)`)
  return path
}

function changeable(session: Session, name: string): GmailMailbox {
  const mailbox = namedMailbox(session, name)
  if (!isUserLabel(mailbox))
    throw new Refusal('NO', `[CANNOT] Cannot change system folder ${name} (Failure)`)
  return mailbox
}
