import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { startGuarded } from '../../cli/commands/local/demo/guarded-process.ts'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'
import { type LabServer, type LabUser, plainClients } from './lab-server.ts'
import { labAccount } from './lab-account.ts'
import { unpackedEnvironment, unpackedProgram } from './unpacked-servers.ts'

const CAPABILITY =
  'IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE'
const FOLDERS = ['', '.Sent', '.Drafts', '.Archive', '.Junk', '.Trash']

/** A user with the folder that is INBOX on disk. */
type CourierUser = LabUser & { readonly maildir: string }

interface Courier {
  readonly users: ReadonlyMap<string, CourierUser>
  readonly sessions: Set<ChildProcess>
  readonly directory: string
}

/**
 * Courier IMAP on loopback: no CONDSTORE, no MOVE, no SPECIAL-USE, every folder below INBOX and named with dots.
 * Its login daemon has fixed global paths, so the login is ours and its own imapd takes over after it.
 */
export async function startLabCourier(): Promise<LabServer> {
  const program = unpackedProgram('usr/bin/imapd')
  const directory = await mkdtemp(join(tmpdir(), 'svc-courier-'))
  await chmod(directory, 0o711)
  const watcher = await startWatcher(directory)
  const users = new Map<string, CourierUser>()
  const sessions = new Set<ChildProcess>()
  const server = createServer((socket) => {
    // A client that leaves in the middle is what tests are about.
    socket.on('error', () => {})
    void logIn(socket, { users, sessions, directory }, program)
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port: imapPort } = server.address() as AddressInfo
  const clients = plainClients(LOOPBACK, imapPort)
  return {
    host: LOOPBACK,
    imapPort,
    async addUser() {
      const user = `user${users.size + 1}`
      const maildir = join(directory, user, 'Maildir')
      await makeMaildir(maildir)
      const added = { user, password: 'secret', email: `${user}@example.test`, maildir }
      users.set(user, added)
      return added
    },
    secondClient: (user) => clients.connect(user),
    async stop() {
      clients.close()
      server.close()
      for (const session of sessions) session.kill('SIGKILL')
      await watcher.stop()
    },
  }
}

/**
 * What tells Courier that a lock was given up; without it every lock costs more than a second. It ends with our
 * process, and the mail with it.
 */
const startWatcher = (directory: string) => {
  const { uid, gid } = labAccount()
  const asOwner = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const environment = Object.entries(unpackedEnvironment()).map(
    ([name, value]) => `${name}=${value}`,
  )
  const program = unpackedProgram('usr/libexec/gam_server')
  const command = ['env', ...environment, program, '--notimeout', basename(directory)]
  const prefix = process.getuid?.() === 0 ? asOwner : []
  return startGuarded([...prefix, ...command], directory, '/dev/null')
}

async function makeMaildir(maildir: string): Promise<void> {
  const owner = labAccount()
  const folders = FOLDERS.flatMap((name) => ['', 'cur', 'new', 'tmp'].map((sub) => join(name, sub)))
  for (const path of ['..', ...folders]) {
    await mkdir(join(maildir, path), { recursive: true })
    await chown(join(maildir, path), owner.uid, owner.gid)
  }
}

/** Speaks what comes before a login; then the connection belongs to a process of Courier's. */
async function logIn(
  socket: Socket,
  { users, sessions, directory }: Courier,
  program: string,
): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`)
  say(`* OK [CAPABILITY ${CAPABILITY}] Courier-IMAP ready.`)
  const lines = createInterface({ input: socket })
  for await (const line of lines) {
    const [, tag = '*', command = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? []
    const [, name = '', password] = /^"?([^" ]*)"? "?([^"]*)"?$/.exec(rest) ?? []
    const user = users.get(name)
    if (command === 'CAPABILITY') say(`* CAPABILITY ${CAPABILITY}`)
    if (command === 'LOGIN' && user?.password === password && user) {
      const session = startSession(program, { user, tag, watcher: basename(directory) })
      sessions.add(session)
      session.once('exit', () => sessions.delete(session))
      lines.close()
      handOver(socket, session)
      return
    }
    if (command === 'LOGOUT') say('* BYE Courier-IMAP server shutting down')
    say(command === 'LOGIN' ? `${tag} NO Login failed.` : `${tag} OK ${command} completed`)
    if (command === 'LOGOUT') socket.end()
  }
}

function startSession(
  program: string,
  { user, tag, watcher }: { user: CourierUser; tag: string; watcher: string },
): ChildProcess {
  const owner = labAccount()
  return spawn(program, ['Maildir'], {
    cwd: join(user.maildir, '..'),
    uid: owner.uid,
    gid: owner.gid,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...unpackedEnvironment(),
      HOME: join(user.maildir, '..'),
      AUTHENTICATED: user.user,
      AUTHADDR: user.user,
      IMAPLOGINTAG: tag,
      GAM_CLIENT_ID: watcher,
      TCPREMOTEIP: LOOPBACK,
      TCPREMOTEPORT: '0',
      IMAP_CAPABILITY: CAPABILITY,
      IMAP_KEYWORDS: '1',
      IMAP_ACL: '0',
      IMAP_USELOCKS: '1',
      IMAP_MAILBOX_SANITY_CHECK: '0',
      IMAP_ENHANCEDIDLE: '0',
      IMAP_IDLE_TIMEOUT: '1',
      IMAP_TRASHFOLDERNAME: 'Trash',
      IMAP_EMPTYTRASH: '',
      IMAP_UMASK: '022',
    },
  })
}

/** The pipe to the process ends with ours, and the process with the pipe. */
function handOver(socket: Socket, { stdin, stdout }: ChildProcess): void {
  stdin?.on('error', () => {})
  stdout?.on('error', () => {})
  socket.resume()
  if (stdin) socket.pipe(stdin)
  stdout?.pipe(socket)
}
