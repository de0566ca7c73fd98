import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { flushDisks } from './bench-directory.ts'
import { bytesIn } from './disk-use.ts'
import { indexWithNotmuch } from './notmuch.ts'
import { runPeer } from './peer-run.ts'
import type { PeerRun } from './peer-run.ts'

/** A mailbox fetched by mbsync and indexed by notmuch. */
export interface PeerSync {
  readonly mbsync: PeerRun
  readonly notmuch: PeerRun
  /** Of its Maildir, and of its index, on the disk. */
  readonly maildirBytes: number
  readonly indexBytes: number
}

/** Where an IMAP server listens without TLS. */
export interface PlainServer {
  readonly host: string
  readonly imapPort: number
}

/** Fetches all folders with mbsync, which never flushes to the disk, and then indexes them with notmuch. */
export async function measurePeers(
  directory: string,
  server: PlainServer,
  user: DovecotUser,
): Promise<PeerSync> {
  const own = join(directory, 'peers')
  const maildir = join(own, 'mail')
  const mbsync = await mailboxOfMbsync(own, server, user)
  const fetched = await mbsync.run()
  const maildirBytes = bytesIn(maildir, () => true)
  await flushDisks()
  const { indexed, indexBytes } = await indexWithNotmuch(join(own, 'notmuch'), maildir)
  return { mbsync: fetched, notmuch: indexed, maildirBytes, indexBytes }
}

/** A mailbox of mbsync's in `directory`, empty until its first run. */
export async function mailboxOfMbsync(
  directory: string,
  { host, imapPort }: PlainServer,
  { user, password }: DovecotUser,
): Promise<{ run(): Promise<PeerRun> }> {
  const maildir = join(directory, 'mail')
  await mkdir(maildir, { recursive: true })
  const config = join(directory, 'mbsyncrc')
  const lines = [
    `FSync no`,
    `IMAPAccount lab`,
    `Host ${host}`,
    `Port ${imapPort}`,
    `User ${user}`,
    `Pass "${password}"`,
    `SSLType None`,
    `AuthMechs LOGIN`,
    ``,
    `IMAPStore server`,
    `Account lab`,
    ``,
    `MaildirStore here`,
    `Path ${maildir}/`,
    `Inbox ${maildir}/INBOX`,
    `SubFolders Verbatim`,
    ``,
    `Channel all`,
    `Far :server:`,
    `Near :here:`,
    `Patterns *`,
    `Create Near`,
    `Sync Pull`,
    `SyncState *`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  const run = () => runPeer(['/usr/bin/mbsync', '-q', '-c', config, 'all'], { HOME: directory })
  return { run }
}
