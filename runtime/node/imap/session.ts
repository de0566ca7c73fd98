import type { ImapFlow } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { MailSession } from '../../ports/mail-server.ts'
import { changeLatch } from './change-latch.ts'
import { translated } from './failure.ts'
import { fetchMessages } from './fetch-messages.ts'
import { highestUid, mailbox, openMailbox, selected } from './mailbox.ts'
import { sortedFlags } from './message-flags.ts'

const LOGOUT_TIMEOUT_MS = 2_000
/** Asked for all mailboxes with the list, in one command where the server can (RFC 5819). */
const STATUS_QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }

/** The port's view of a connection that has logged in. */
export function session(client: ImapFlow): MailSession {
  const changes = changeLatch(client)
  return {
    listMailboxes: () =>
      translated(async () => (await client.list({ statusQuery: STATUS_QUERY })).map(mailbox)),
    select: (path) =>
      translated(async () => {
        const opened = await client.mailboxOpen(path)
        return { ...selected(opened), uidNext: opened.uidNext ?? (await highestUid(client)) + 1 }
      }),
    exists: () => openMailbox(client).exists,
    searchUids: () =>
      translated(async () => {
        const uids = await client.search({ all: true }, { uid: true })
        if (!uids)
          throw new MailServerError('refused', 'The server refused a search.', { retryable: true })
        return uids.toSorted((a, b) => a - b)
      }),
    fetchMessages: (uids) => fetchMessages(client, uids),
    fetchFlags: (changedSince) =>
      translated(async () => {
        if (openMailbox(client).exists === 0) return []
        const options = changedSince === undefined ? { uid: true } : { uid: true, changedSince }
        const fetched = await client.fetchAll('1:*', { uid: true, flags: true }, options)
        return fetched.map(({ uid, flags, modseq }) => ({
          uid,
          flags: sortedFlags(flags),
          ...(modseq && { modseq }),
        }))
      }),
    idle: (signal) => changes.wait(signal),
    markSeen: () => changes.reset(),
    async close() {
      const timer = setTimeout(() => client.close(), LOGOUT_TIMEOUT_MS)
      await client.logout().catch(() => client.close())
      clearTimeout(timer)
    },
  }
}
