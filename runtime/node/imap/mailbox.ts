import type { ListResponse } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { Mailbox, SelectedMailbox } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { CONNECTION_ENDED, mailServerError } from './failure.ts'

/** A mailbox as LIST reported it, with its STATUS where that came along. */
export function mailbox(listed: ListResponse): Mailbox {
  const unselectable = listed.flags.has('\\Noselect') || listed.flags.has('\\NonExistent')
  return {
    path: listed.path,
    ...(listed.delimiter && { delimiter: listed.delimiter }),
    ...(listed.specialUse && { specialUseAttribute: listed.specialUse }),
    specialUseDeclared: listed.specialUseSource === 'extension' || listed.specialUse === '\\Inbox',
    selectable: !unselectable,
    ...status(listed),
  }
}

function status({ status: reported }: ListResponse): Pick<Mailbox, 'status'> {
  if (reported?.messages === undefined || !reported.uidNext || !reported.uidValidity) return {}
  const { messages: exists, uidNext, uidValidity, highestModseq } = reported
  return { status: { exists, uidNext, uidValidity, ...(highestModseq && { highestModseq }) } }
}

/** The mailbox as SELECT reported it. */
export function selected(opened: ReturnType<typeof openMailbox>): SelectedMailbox {
  return {
    uidValidity: opened.uidValidity,
    uidNext: opened.uidNext,
    exists: opened.exists,
    ...(opened.highestModseq && !opened.noModseq && { highestModseq: opened.highestModseq }),
    ...(opened.mailboxId && { mailboxId: opened.mailboxId }),
    ...(opened.permanentFlags && { permanentFlags: [...opened.permanentFlags] }),
    readOnly: opened.readOnly ?? false,
  }
}

/** For servers that do not say UIDNEXT when a mailbox is opened, such as Courier. */
export async function highestUid(connection: Connection): Promise<number> {
  if (openMailbox(connection).exists === 0) return 0
  const newest = await connection.client.fetchOne('*', { uid: true })
  return newest ? newest.uid : 0
}

/** Throws a `MailServerError` where none is open, as after a SELECT that was refused, or after the connection ended. */
export function openMailbox({ client, error, mask }: Connection) {
  if (client.mailbox) return client.mailbox
  if (error) throw mailServerError(error, mask)
  const words = client.usable ? 'No mailbox is open.' : mask(client.byeReason ?? CONNECTION_ENDED)
  throw new MailServerError('unreachable', words, { retryable: true })
}
