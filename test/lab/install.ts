import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What the live tests need of the machine: a Debian package each, and a file it brings. */
const NEEDED = [
  { name: 'dovecot-imapd', file: '/usr/lib/dovecot/imap' },
  { name: 'dovecot-lmtpd', file: '/usr/lib/dovecot/lmtp' },
  { name: 'chromium', file: '/usr/bin/chromium' },
  { name: 'openssl', file: '/usr/bin/openssl' },
]

const missing = NEEDED.filter(({ file }) => !existsSync(file)).map(({ name }) => name)
if (missing.length > 0) install(missing)

function install(packages: readonly string[]): void {
  const command = ['install', '-y', '--no-install-recommends', ...packages]
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    console.error(
      `The live tests need ${packages.join(', ')}. Run this, then try again:\n` +
        `  sudo sh -c 'apt-get update && apt-get ${command.join(' ')}'`,
    )
    process.exit(1)
  }
  console.log(`Installing ${packages.join(', ')} for the live tests.`)
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'inherit',
  } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', command, options)
}
