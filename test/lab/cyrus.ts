import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GuardedProcess, startGuarded } from '../../cli/commands/local/demo/guarded-process.ts'
import { freePorts, greetingOf, LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'
import { labAccount } from './lab-account.ts'
import { type LabServer, plainClients } from './lab-server.ts'
import { unpackedEnvironment, unpackedProgram } from './unpacked-servers.ts'

const READY_WAIT_MS = 10_000
const FOLDERS = 'Sent|Drafts|Archive|Junk|Trash'

export interface CyrusOptions {
  /** Folders below INBOX, named with dots, as old installations have them; else beside it, with slashes. */
  readonly isClassic?: boolean
}

interface CyrusSettings extends CyrusOptions {
  readonly directory: string
  readonly port: number
}

/** Cyrus IMAP on loopback: CONDSTORE, QRESYNC, MOVE and OBJECTID. Its folders are made at the first login. */
export async function startLabCyrus(options: CyrusOptions = {}): Promise<LabServer> {
  const [port = 0] = await freePorts(1)
  const directory = await mkdtemp(join(tmpdir(), 'svc-cyrus-'))
  const running = await start({ ...options, directory, port }).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true })
    throw error
  })
  const clients = plainClients(LOOPBACK, port)
  let users = 0
  return {
    host: LOOPBACK,
    imapPort: port,
    async addUser() {
      users += 1
      const user = `user${users}`
      await savePassword(directory, user, 'secret')
      return { user, password: 'secret', email: `${user}@example.test` }
    },
    secondClient: (user) => clients.connect(user),
    async stop() {
      clients.close()
      await running.stop()
    },
  }
}

async function start(settings: CyrusSettings): Promise<GuardedProcess> {
  const { directory, port } = settings
  await chmod(directory, 0o755)
  const folders = ['spool', 'spool/stage.', 'conf']
  const parts = ['socket', 'proc', 'db', 'log', 'msg', 'ptclient'].map((part) => `conf/${part}`)
  for (const folder of [...folders, ...parts]) await mkdir(join(directory, folder))
  await writeFile(join(directory, 'imapd.conf'), imapdConfig(settings))
  await writeFile(join(directory, 'cyrus.conf'), servicesConfig(settings))
  await writeFile(join(directory, 'log'), '')
  const { uid, gid } = labAccount()
  for (const path of ['', 'log', ...folders, ...parts]) await chown(join(directory, path), uid, gid)

  const files = { '-C': 'imapd.conf', '-M': 'cyrus.conf', '-p': 'master.pid' }
  const given = Object.entries(files).flatMap(([option, file]) => [option, join(directory, file)])
  const environment = Object.entries(unpackedEnvironment()).map(
    ([name, value]) => `${name}=${value}`,
  )
  const command = ['env', ...environment, unpackedProgram('usr/lib/cyrus/bin/master'), ...given]
  const running = await startGuarded(command, directory, join(directory, 'log'))
  const deadline = performance.now() + READY_WAIT_MS
  while (!(await greetingOf(port))?.startsWith('* OK')) {
    if (performance.now() > deadline || !running.isRunning()) {
      await running.stop()
      throw new Error('Cyrus did not start.')
    }
    await sleep(20)
  }
  return running
}

function imapdConfig({ directory, isClassic = false }: CyrusSettings): string {
  const beside = isClassic ? 'no' : 'yes'
  return `
configdirectory: ${directory}/conf
defaultpartition: default
partition-default: ${directory}/spool
cyrus_user: ${labAccount().name}
admins: admin
servername: localhost
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: ${directory}/sasldb
sasl_mech_list: PLAIN LOGIN
altnamespace: ${beside}
unixhierarchysep: ${beside}
autocreate_quota: 0
autocreate_inbox_folders: ${FOLDERS}
autocreate_subscribe_folders: ${FOLDERS}
${FOLDERS.split('|')
  .map((name) => `xlist-${name.toLowerCase()}: ${name}`)
  .join('\n')}
imapidlepoll: 1
`
}

/** Paths in full: the ones compiled in are of an installation. */
function servicesConfig({ directory, port }: CyrusSettings): string {
  const command = (name: string, options = '') =>
    `cmd="${unpackedProgram(`usr/lib/cyrus/bin/${name}`)} -C ${directory}/imapd.conf${options}"`
  return `
START {
  recover ${command('ctl_cyrusdb', ' -r')}
}
SERVICES {
  imap ${command('imapd')} listen="${LOOPBACK}:${port}" proto="tcp4" prefork=1 maxchild=300
}
DAEMON {
  idled ${command('idled')}
}
`
}

async function savePassword(directory: string, user: string, password: string): Promise<void> {
  const file = join(directory, 'sasldb')
  const program = unpackedProgram('usr/sbin/saslpasswd2')
  const options = ['-f', file, '-p', '-c', '-u', 'localhost', user]
  const environment = { env: unpackedEnvironment() }
  await new Promise<void>((resolve, reject) => {
    const child = execFile(program, options, environment, (error) =>
      error ? reject(error) : resolve(),
    )
    child.stdin?.end(password)
  })
  const { uid, gid } = labAccount()
  await chown(file, uid, gid)
}
