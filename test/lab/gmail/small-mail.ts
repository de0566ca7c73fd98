import type { FetchMessageObject } from 'imapflow'
import type { GmailState, LabGmail } from '../gmail-imap.ts'

export const ALL_MAIL = '[Gmail]/All Mail'
export const TRASH = '[Gmail]/Trash'

/** A small message; its name is the subject and in the Message-ID. */
export const mail = (name: string, ...fields: string[]): string =>
  [`Message-ID: <${name}@example.org>`, `Subject: ${name}`, ...fields, '', 'Grüße.', ''].join(
    '\r\n',
  )

/** What the server has of the message; throws where it has none. */
export function stateOf(gmail: LabGmail, msgid: string): GmailState {
  const state = gmail.state().find((message) => message.msgid === msgid)
  if (!state) throw new Error('The message has gone.')
  return state
}

/** A message that was asked for; throws where it was not there. */
export function found(message: FetchMessageObject | false): FetchMessageObject {
  if (!message) throw new Error('The message is not there.')
  return message
}
