import type { FetchMessageObject, FetchOptions } from 'imapflow'
import type { ChangesAsked, FetchedFlags, MailboxChanges } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { hasGmailLabels } from './gmail.ts'
import { openMailbox } from './mailbox.ts'
import { sortedFlags } from './message-flags.ts'

/** Flags, and with QRESYNC what is gone, in one command (RFC 7162 sections 3.1.4.1 and 3.2.6). */
export async function fetchChanges(
  connection: Connection,
  { since, fromUid = 1 }: ChangesAsked,
): Promise<MailboxChanges> {
  const { client, gone } = connection
  const mailbox = openMailbox(connection)
  // `1:*` of an empty mailbox is an error to some servers.
  if (mailbox.exists === 0) return { flags: [] }
  const tellsVanished =
    since !== undefined && client.enabled.has('QRESYNC') && mailbox.noModseq !== true
  gone.restart()
  const query = { uid: true, flags: true, ...(hasGmailLabels(client) && { labels: true }) }
  const options: FetchOptions = { uid: true, ...(since !== undefined && { changedSince: since }) }
  const fetched = await client.fetchAll(`${fromUid}:*`, query, options)
  const vanished = tellsVanished ? gone.uids() : undefined
  // A response that came of its own accord may say nothing of them.
  const complete = fetched.filter(
    ({ uid, flags, labels }) => uid && flags && (labels || !hasGmailLabels(client)),
  )
  return { flags: complete.map(fetchedFlags), ...(vanished && { vanished }) }
}

/** What a FETCH says of a message beside its source. */
export function fetchedFlags({ uid, flags, labels, modseq }: FetchMessageObject): FetchedFlags {
  return {
    uid,
    flags: sortedFlags(flags),
    ...(labels && { gmailLabels: [...labels].toSorted() }),
    ...(modseq && { modseq }),
  }
}
