import { textOf } from './command.ts'
import { type Handler, SUCCESS, writableView } from './session.ts'

/** EXPUNGE and UID EXPUNGE: of a label takes the label off, of Spam and Trash deletes for good. */
export const expungeMessages: Handler = (session, { args: [set], isUid }) => {
  const view = writableView(session)
  for (const { seen } of view.select(isUid ? textOf(set) : '1:*', isUid))
    if (view.mailbox.deleted.has(seen.message)) session.account.expunge(view.mailbox, seen.message)
  return SUCCESS
}
