import type { MailSession } from '../../ports/mail-server.ts'
import { changeLatch } from './change-latch.ts'
import { changeMail } from './change-mail.ts'
import { type Connection, within } from './connection.ts'
import { fetchChanges } from './fetch-changes.ts'
import { fetchHeaders } from './fetch-headers.ts'
import { fetchMessages } from './fetch-messages.ts'
import { hasGmailLabels } from './gmail.ts'
import { highestUid, mailbox, openMailbox, selected } from './mailbox.ts'
import { notify } from './notify.ts'
import { searchFor } from './search-for.ts'
import { searchCopies, searchUids } from './search.ts'

const LOGOUT_TIMEOUT_MS = 2_000
/** Asked for all mailboxes with the list, in one command where the server can (RFC 5819). */
const STATUS_QUERY = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }

/** The port's view of a connection that has logged in. */
export function session(connection: Connection): MailSession {
  const { client, gone, patience } = connection
  const command = <T>(work: () => Promise<T>) => within(connection, patience.commandMs, work)
  const changes = changeLatch(client, () => command(() => client.noop()))
  gone.attach(client, changes.report)
  return {
    hasGmailLabels: hasGmailLabels(client),
    async listMailboxes() {
      changes.resetElsewhere()
      const listed = await command(() => client.list({ statusQuery: STATUS_QUERY }))
      // Some servers name a mailbox twice, and one may be named of the server's own accord (NOTIFY) meanwhile.
      return [...new Map(listed.map((entry) => [entry.path, mailbox(entry)])).values()]
    },
    select: (path) =>
      command(async () => {
        const opened = await client.mailboxOpen(path)
        return {
          ...selected(opened),
          uidNext: opened.uidNext ?? (await highestUid(connection)) + 1,
        }
      }),
    exists: () => openMailbox(connection).exists,
    async searchUids() {
      // A server may answer of the mailbox as it was when it last spoke of it.
      await command(() => client.noop())
      return command(() => searchUids(connection))
    },
    searchCopies: (sought) => command(() => searchCopies(connection, sought)),
    search: (criterion) => command(() => searchFor(connection, criterion)),
    fetchMessages: (uids) => fetchMessages(connection, uids),
    fetchHeaders: (uids) => fetchHeaders(connection, uids),
    fetchChanges: (asked) => command(() => fetchChanges(connection, asked)),
    watchElsewhere: () => command(() => notify(client, () => changes.reportElsewhere())),
    hasChangedElsewhere: () => changes.hasChangedElsewhere(),
    idle: (signal) => changes.wait(signal),
    markSeen: () => changes.reset(),
    ...changeMail(connection),
    async close() {
      const timer = setTimeout(() => client.close(), LOGOUT_TIMEOUT_MS)
      await client.logout().catch(() => client.close())
      clearTimeout(timer)
    },
  }
}
