import type { GmailAccount } from './account.ts'
import type { Command } from './command.ts'
import type { MailboxView } from './mailbox-view.ts'
import type { GmailMailbox } from './mailbox.ts'
import { Refusal } from './refusal.ts'
import { decodeName, type NameEncoding } from './response-text.ts'

/** A logged-in connection. */
export interface Session extends NameEncoding {
  readonly account: GmailAccount
  /** What ENABLE or the use of it switched on, in upper case. */
  readonly enabled: Set<string>
  /** The open mailbox. */
  view: MailboxView | undefined
  write(text: string | Buffer): void
}

/** Carries out one command and gives the text after its OK; throws `Refusal`. */
export type Handler = (session: Session, command: Command) => string

export const SUCCESS = 'Success'

/** The open mailbox; refuses the command where none is open. */
export function openView({ view }: Session): MailboxView {
  if (!view) throw new Refusal('BAD', 'Unknown command in the authenticated state')
  return view
}

/** The open mailbox for a command that changes it. */
export function writableView(session: Session): MailboxView {
  const view = openView(session)
  if (view.isReadOnly) throw new Refusal('NO', '[READ-ONLY] Folder is read-only (Failure)')
  return view
}

/** The mailbox a command names; refuses the command with this response code where it does not exist. */
export function namedMailbox(
  session: Session,
  name: string,
  code: 'NONEXISTENT' | 'TRYCREATE' = 'NONEXISTENT',
): GmailMailbox {
  const path = decodeName(name, session)
  const mailbox = session.account.mailbox(path)
  if (!mailbox) throw new Refusal('NO', `[${code}] Unknown Mailbox: ${name} (Failure)`)
  return mailbox
}
