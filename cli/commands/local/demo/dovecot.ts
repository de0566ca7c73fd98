import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import {
  dovecotConfig,
  homeOf,
  logFile,
  oauthConfig,
  oauthFile,
  userFile,
} from './dovecot-config.ts'
import type { DovecotSettings } from './dovecot-config.ts'
import { dovecotAccounts } from './dovecot-accounts.ts'
import { findDovecot } from './dovecot-programs.ts'
import { startGuarded } from './guarded-process.ts'
import type { GuardedProcess } from './guarded-process.ts'
import { freePorts, greetingOf, LOOPBACK } from './loopback.ts'

const ATTEMPTS = 5
const READY_WAIT_MS = 10_000

export interface DovecotOptions {
  /** Capabilities that are not advertised. */
  readonly without?: readonly string[]
  /** Whether the folders carry SPECIAL-USE attributes; they do unless told otherwise. */
  readonly specialUse?: boolean
  /** Offers COMPRESS=DEFLATE (RFC 4978). */
  readonly compresses?: boolean
  /** Obeys the `dovecot-acl` files in the folders of users (RFC 4314). */
  readonly obeysRights?: boolean
  /** How many messages a user may have (RFC 9208); any number unless told otherwise. */
  readonly messagesMax?: number
  /** Where access tokens are asked about (RFC 7662); absent: only passwords let in. */
  readonly introspectionUrl?: string
}

/** A mailbox owner of a throw-away Dovecot. */
export interface DovecotUser {
  readonly user: string
  readonly password: string
  readonly email: string
  /** The folder on disk that is INBOX; the other folders are below it. */
  readonly maildir: string
}

/** A throw-away Dovecot on loopback. */
export interface Dovecot {
  readonly host: string
  /** IMAP without TLS, and with STARTTLS. */
  readonly imapPort: number
  readonly imapsPort: number
  readonly lmtpPort: number
  readonly certificate: Certificate
  /** Process id of the master, which also names the process group. */
  readonly pid: number
  /** Adds a user that can log in at once; what is absent is made up. */
  addUser(wanted?: Partial<Omit<DovecotUser, 'maildir'>>): Promise<DovecotUser>
  /** The server's log so far. */
  log(): Promise<string>
  /** Ends all its processes and removes its mail. */
  stop(): Promise<void>
}

/** Dovecot ended, or did not answer in time; the message ends with what it logged last. */
export class DovecotStartError extends Error {
  readonly log: string

  constructor(reason: string, log: string) {
    super(`${reason}\n${log.slice(-2_000)}`)
    this.name = 'DovecotStartError'
    this.log = log
  }
}

/**
 * Starts a Dovecot with a folder, ports and a certificate of its own. It ends with our process at the latest,
 * however that ends. Throws `DovecotMissingError` and `DovecotStartError`.
 */
export async function startDovecot(options: DovecotOptions = {}): Promise<Dovecot> {
  const program = findDovecot()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(program, options)
    } catch (error) {
      const isPortTaken = error instanceof DovecotStartError && error.log.includes('already in use')
      if (!isPortTaken || attempt === ATTEMPTS) throw error
    }
  }
}

async function startOnce(program: string, options: DovecotOptions): Promise<Dovecot> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-dovecot-'))
  try {
    const settings = await prepare(directory, options)
    const config = join(directory, 'dovecot.conf')
    await writeFile(config, dovecotConfig(settings))
    const command = [program, '-F', '-c', config]
    const running = await startGuarded(command, directory, logFile(directory))
    await untilReady(settings, running)
    return handleOf(settings, running)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

async function prepare(directory: string, options: DovecotOptions): Promise<DovecotSettings> {
  const accounts = dovecotAccounts()
  // Dovecot's processes of other users pass through it.
  await chmod(directory, 0o711)
  await mkdir(join(directory, 'mail'))
  await chown(join(directory, 'mail'), accounts.owner.uid, accounts.owner.gid)
  await mkdir(join(directory, 'users'))
  // The delivery and mail processes, which run as the owner, write it too.
  await writeFile(logFile(directory), '')
  await chown(logFile(directory), accounts.owner.uid, accounts.owner.gid)
  const { introspectionUrl, messagesMax } = options
  if (introspectionUrl !== undefined)
    await writeFile(oauthFile(directory), oauthConfig(introspectionUrl))
  const [certificate, [imap = 0, imaps = 0, lmtp = 0]] = await Promise.all([
    makeCertificate(directory),
    freePorts(3),
  ])
  return {
    directory,
    greeting: `dovecot-${randomBytes(6).toString('hex')}`,
    certificate,
    ports: { imap, imaps, lmtp },
    without: options.without ?? [],
    specialUse: options.specialUse ?? true,
    compresses: options.compresses ?? false,
    obeysRights: options.obeysRights ?? false,
    ...(introspectionUrl !== undefined && { introspectionUrl }),
    ...(messagesMax !== undefined && { messagesMax }),
    ...accounts,
  }
}

async function untilReady(settings: DovecotSettings, running: GuardedProcess): Promise<void> {
  const deadline = Date.now() + READY_WAIT_MS
  while (running.isRunning() && Date.now() < deadline) {
    const greeting = await greetingOf(settings.ports.imap)
    if (greeting?.includes(settings.greeting)) return
    await sleep(20)
  }
  const reason = running.isRunning() ? 'Dovecot does not answer.' : 'Dovecot did not start.'
  const log = await readFile(logFile(settings.directory), 'utf8')
  await running.stop()
  throw new DovecotStartError(reason, log)
}

function handleOf(settings: DovecotSettings, running: GuardedProcess): Dovecot {
  const { directory, owner, ports, certificate } = settings
  let users = 0
  const addUser: Dovecot['addUser'] = async (wanted = {}) => {
    users += 1
    const user = wanted.user ?? `user${users}`
    const password = wanted.password ?? randomBytes(9).toString('base64url')
    const maildir = join(homeOf(directory, user), 'Maildir')
    await mkdir(maildir, { recursive: true })
    for (const path of [homeOf(directory, user), maildir]) await chown(path, owner.uid, owner.gid)
    await writeFile(userFile(directory, user), `${user}:{PLAIN}${password}::::::\n`)
    return { user, password, email: wanted.email ?? `${user}@example.test`, maildir }
  }
  return {
    host: LOOPBACK,
    imapPort: ports.imap,
    imapsPort: ports.imaps,
    lmtpPort: ports.lmtp,
    certificate,
    pid: running.pid,
    addUser,
    log: () => readFile(logFile(directory), 'utf8'),
    stop: () => running.stop(),
  }
}
