import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Debian's packages of Courier and Cyrus conflict with Dovecot's, so they are unpacked aside and not installed. */
const PACKAGES = [
  'courier-imap',
  'courier-base',
  'courier-authlib',
  'gamin',
  'cyrus-imapd',
  'cyrus-common',
  'sasl2-bin',
]

// Processes of other users pass through it, which they may not do with the folder of the sources.
const DIRECTORY = join(tmpdir(), `svc-lab-servers-${userInfo().uid}`)
const ROOT = join(DIRECTORY, 'root')
/** Written last, so that what was cut off is begun anew. */
const COMPLETE = join(DIRECTORY, 'complete')

/** Whether Courier and Cyrus are there. */
export const areServersUnpacked = () => existsSync(COMPLETE) && isOurs()

/** Downloads Courier, Cyrus and the libraries they miss here, and unpacks them. Needs apt, but not root. */
export function unpackServers(): void {
  rmSync(DIRECTORY, { recursive: true, force: true })
  mkdirSync(ROOT, { recursive: true })
  for (const directory of [DIRECTORY, ROOT]) chmodSync(directory, 0o755)
  let wanted: readonly string[] = PACKAGES
  const known = new Set<string>()
  while (wanted.length > 0) {
    execFileSync('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', ...wanted], {
      cwd: DIRECTORY,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    for (const name of wanted) known.add(name)
    const archives = readdirSync(DIRECTORY).filter((file) => file.endsWith('.deb'))
    wanted = [...new Set(archives.flatMap(librariesOf))].filter((name) => !known.has(name))
    for (const archive of archives) {
      execFileSync('dpkg', ['-x', archive, ROOT], { cwd: DIRECTORY })
      rmSync(join(DIRECTORY, archive))
    }
  }
  writeFileSync(COMPLETE, '')
}

/** A program of the unpacked packages, by its path in them. */
export function unpackedProgram(path: string): string {
  if (!areServersUnpacked())
    throw new Error('Courier and Cyrus are not here. Run: node test/lab/install.ts')
  return join(ROOT, path)
}

/** The environment that lets unpacked programs find their libraries. */
export function unpackedEnvironment(): Readonly<Record<string, string>> {
  const folders = ['usr/lib', 'lib'].flatMap((base) => {
    const machine = readdirSync(join(ROOT, base)).filter((name) => name.endsWith('-linux-gnu'))
    return [
      base,
      ...machine.flatMap((name) => [`${base}/${name}`, `${base}/${name}/courier-authlib`]),
    ]
  })
  return {
    PATH: process.env['PATH'] ?? '',
    LD_LIBRARY_PATH: folders.map((folder) => join(ROOT, folder)).join(':'),
    // Where the machine has modules of its own they are looked at first.
    SASL_PATH: folders
      .flatMap((folder) => [`/${folder}/sasl2`, join(ROOT, folder, 'sasl2')])
      .join(':'),
  }
}

/** The libraries an archive depends on and the machine does not have. */
function librariesOf(archive: string): readonly string[] {
  const depends = execFileSync('dpkg-deb', ['-f', archive, 'Depends'], {
    cwd: DIRECTORY,
    encoding: 'utf8',
  })
  const names = depends.split(',').map((entry) => entry.trim().split(/[\s:|(]/)[0] ?? '')
  return names.filter(
    (name) => name.startsWith('lib') && !name.endsWith('-perl') && !isInstalled(name),
  )
}

function isInstalled(name: string): boolean {
  try {
    const status = execFileSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return status.startsWith('installed')
  } catch {
    return false
  }
}

/** Anybody may make a folder of that name where temporary files are. */
const isOurs = () => statSync(DIRECTORY).uid === userInfo().uid
