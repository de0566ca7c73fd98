import { textOf } from './command.ts'
import { MailboxView } from './mailbox-view.ts'
import { mailboxName } from './response-text.ts'
import { type Handler, namedMailbox, openView, SUCCESS } from './session.ts'

const FLAGS = '\\Answered \\Flagged \\Draft \\Deleted \\Seen $NotPhishing $Phishing'

/** SELECT and EXAMINE, always with HIGHESTMODSEQ as Gmail sends it. */
export const openMailbox: Handler = (session, { name, args: [path, parameters] }) => {
  session.view = undefined
  const mailbox = namedMailbox(session, textOf(path))
  const isReadOnly = name === 'EXAMINE'
  const view = new MailboxView(mailbox, isReadOnly)
  if (parameters !== undefined) session.enabled.add('CONDSTORE')
  const lines = [
    `* FLAGS (${FLAGS})`,
    `* OK [PERMANENTFLAGS (${isReadOnly ? '' : `${FLAGS} \\*`})] Flags permitted.`,
    `* OK [UIDVALIDITY ${mailbox.uidValidity}] UIDs valid.`,
    `* ${view.exists} EXISTS`,
    '* 0 RECENT',
    `* OK [UIDNEXT ${mailbox.uidNext}] Predicted next UID.`,
    `* OK [HIGHESTMODSEQ ${mailbox.highestModseq}]`,
  ]
  session.write(lines.map((line) => `${line}\r\n`).join(''))
  session.view = view
  const access = isReadOnly ? 'READ-ONLY' : 'READ-WRITE'
  return `[${access}] ${mailboxName(mailbox.path, session)} selected. (Success)`
}

/** CLOSE, which expunges, and UNSELECT, which does not. */
export const closeMailbox: Handler = (session, { name }) => {
  const { mailbox, isReadOnly } = openView(session)
  if (name === 'CLOSE' && !isReadOnly)
    for (const message of mailbox.deleted) session.account.expunge(mailbox, message)
  session.view = undefined
  return SUCCESS
}
