import { createHash } from 'node:crypto'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Arrival, ArrivalFolder } from '../../domain/sync/arrival.ts'
import { acquireLease, type Lease } from '../../domain/sync/lease.ts'
import type { Store } from '../../runtime/ports/store.ts'

/** An account with an inbox, leased to a sidecar: where messages can arrive. */
export async function leasedInbox(
  store: Store,
  name = 'ada@example.org',
): Promise<{ lease: Lease; folder: ArrivalFolder }> {
  const server = { host: 'mail.example.org', port: 993, tls: 'implicit', user: name } as const
  const [account] = await store.commit((write) => [
    write
      .insert(accounts)
      .values({
        name,
        nameKey: name,
        email: name,
        imapHost: server.host,
        imapPort: server.port,
        imapTls: server.tls,
        imapUser: server.user,
        smtpHost: server.host,
        smtpPort: 465,
        smtpTls: server.tls,
        smtpUser: server.user,
        sealedPassword: 'sealed',
        createdAt: 0,
      })
      .returning({ id: accounts.id }),
  ])
  const accountId = account[0]?.id ?? 0
  const [folder] = await store.commit((write) => [
    write
      .insert(folders)
      .values({ accountId, path: 'INBOX', delimiter: '/', specialUse: 'inbox', synced: true })
      .returning({ id: folders.id }),
  ])
  const lease = await acquireLease({ store }, accountId, 'sidecar')
  if (!lease) throw new Error('The account is leased already.')
  return {
    lease,
    folder: {
      id: folder[0]?.id ?? 0,
      isInbox: true,
      isSent: false,
      isDrafts: false,
      isTold: false,
      areChangesTold: false,
      gmail: undefined,
      uidValidity: 1n,
    },
  }
}

interface ArrivalParts {
  readonly uid: number
  readonly messageIdHeader?: string
  readonly references?: readonly string[]
  readonly flags?: readonly string[]
  readonly subject?: string
  readonly dateMs?: number
  readonly sourceKept?: boolean
  /** What makes the source different from others; default: the UID. */
  readonly source?: string
}

export function arrival({
  uid,
  messageIdHeader,
  references = [],
  flags = [],
  ...parts
}: ArrivalParts): Arrival {
  const source = parts.source ?? `source ${uid}`
  const subject = parts.subject ?? `Message ${uid}`
  const dateMs = parts.dateMs ?? Date.UTC(2026, 0, 1) + uid * 60_000
  return {
    fetched: { uid, flags, modseq: BigInt(uid), internalDateMs: dateMs },
    sourceHash: createHash('sha256').update(source).digest('hex'),
    sourceKept: parts.sourceKept ?? true,
    size: source.length,
    digest: {
      ...(messageIdHeader && { messageIdHeader }),
      references,
      from: [{ name: 'Grace', address: 'grace@example.org' }],
      to: [{ address: 'ada@example.org' }],
      cc: [],
      bcc: [],
      replyTo: [],
      subject,
      dateHeaderMs: dateMs,
      text: source,
      hasHtml: false,
      hasLink: false,
      snippet: source,
      headersRaw: new TextEncoder().encode(`Subject: ${subject}\r\n`),
      attachments: [],
      indexText: {
        subject,
        sender: 'grace',
        recipients: 'ada',
        cc: '',
        bcc: '',
        filenames: '',
        body: source,
      },
    },
  }
}
