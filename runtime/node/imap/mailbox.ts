import type { ImapFlow, ListResponse } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { Mailbox, SelectedMailbox } from '../../ports/mail-server.ts'

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
  }
}

/** For servers that do not say UIDNEXT when a mailbox is opened, such as Courier. */
export async function highestUid(client: ImapFlow): Promise<number> {
  if (openMailbox(client).exists === 0) return 0
  const newest = await client.fetchOne('*', { uid: true })
  return newest ? newest.uid : 0
}

/** Throws a `MailServerError` where none is open, as after a SELECT that was refused. */
export function openMailbox(client: ImapFlow) {
  if (!client.mailbox)
    throw new MailServerError('unreachable', 'No mailbox is open.', { retryable: true })
  return client.mailbox
}
