import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { flushDisks } from './bench-directory.ts'
import { bytesIn } from './disk-use.ts'
import { memoryOf } from './processes.ts'

const LOOK_EVERY_MS = 20

/** What a program took for its work. */
interface PeerRun {
  readonly tookMs: number
  /** Resident memory, as often as somebody looked. */
  readonly peakBytes: number
}

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
  const config = join(own, 'notmuch-config')
  await writeFile(
    config,
    `[database]\npath=${maildir}\n[user]\nname=Reader\nprimary_email=${user.email}\n[new]\ntags=new\n`,
  )
  await flushDisks()
  const indexed = await runPeer(['/usr/bin/notmuch', 'new', '--quiet', '--no-hooks'], {
    HOME: own,
    NOTMUCH_CONFIG: config,
  })
  const indexBytes = bytesIn(join(maildir, '.notmuch'), () => true)
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

async function runPeer(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<PeerRun> {
  const startMs = performance.now()
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const ended = once(child, 'close').then(([code]) => ({ code, atMs: performance.now() }))
  const [{ code, atMs }, errors, peakBytes] = await Promise.all([
    ended,
    text(child.stderr),
    peakOf(child),
  ])
  process.off('exit', endWithUs)
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`)
  return { tookMs: atMs - startMs, peakBytes }
}

async function peakOf(child: ChildProcess): Promise<number> {
  let peakBytes = 0
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    peakBytes = Math.max(peakBytes, memoryIfAny(child.pid))
    await delay(LOOK_EVERY_MS)
  }
  return peakBytes
}

/** A process that is about to end has no memory left to tell of. */
function memoryIfAny(pid: number): number {
  try {
    return memoryOf(pid).peakBytes || 0
  } catch {
    return 0
  }
}
