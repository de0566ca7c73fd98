import { hasCapability } from 'imapflow/lib/tools.js'
import type { MailSession } from '../../ports/mail-server.ts'
import { appendMessage } from './append-message.ts'
import type { Connection } from './connection.ts'
import { createMailbox } from './create-mailbox.ts'
import { canExpunge, expunge } from './expunge-messages.ts'
import { relocate } from './relocate.ts'
import { storeFlags, storeGmailLabels } from './store.ts'

type ChangingMethods =
  | 'canMove'
  | 'canExpunge'
  | 'storeFlags'
  | 'storeGmailLabels'
  | 'moveMessages'
  | 'copyMessages'
  | 'expunge'
  | 'createMailbox'
  | 'append'

/** The commands of a session that change mail. */
export function changeMail(connection: Connection): Pick<MailSession, ChangingMethods> {
  const canMove = hasCapability(connection.client, 'MOVE')
  return {
    canMove,
    canExpunge: canExpunge(connection),
    storeFlags: (uids, edit) => storeFlags(connection, uids, edit),
    storeGmailLabels: (uids, edit) => storeGmailLabels(connection, uids, edit),
    async moveMessages(uids, path) {
      if (!canMove) throw new Error('The server has no MOVE.')
      return relocate(connection, { name: 'UID MOVE', uids, path })
    },
    copyMessages: (uids, path) => relocate(connection, { name: 'UID COPY', uids, path }),
    expunge: (uids) => expunge(connection, uids),
    createMailbox: (path, specialUse) => createMailbox(connection, path, specialUse),
    append: (path, message) => appendMessage(connection, path, message),
  }
}
