import { globSync } from 'node:fs'
import { apt, canInstall, installCommand } from './debian.ts'
import { FAKETIME_LIBRARY } from './faked-clock.ts'
import { areServersUnpacked, unpackServers } from './unpacked-servers.ts'

/** What the live tests need of the machine: a Debian package each, and a file it brings, by a pattern. */
const NEEDED = [
  { name: 'dovecot-imapd', file: '/usr/lib/dovecot/imap' },
  { name: 'dovecot-lmtpd', file: '/usr/lib/dovecot/lmtp' },
  { name: 'chromium', file: '/usr/bin/chromium' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'libfaketime', file: FAKETIME_LIBRARY },
]

const missing = NEEDED.filter(({ file }) => globSync(file).length === 0).map(({ name }) => name)
if (missing.length > 0) install(missing)
if (!areServersUnpacked()) unpack()

function unpack(): void {
  console.log('Unpacking Courier and Cyrus for the live tests.')
  try {
    unpackServers()
  } catch {
    // A machine that has never asked knows no packages.
    updateLists()
    unpackServers()
  }
}

function install(packages: readonly string[]): void {
  const command = installCommand(packages)
  if (!canInstall()) {
    console.error(
      `The live tests need ${packages.join(', ')}. Run this, then try again:\n` +
        `  sudo sh -c 'apt-get update && apt-get ${command.join(' ')}'`,
    )
    process.exit(1)
  }
  console.log(`Installing ${packages.join(', ')} for the live tests.`)
  updateLists()
  apt(command)
}

function updateLists(): void {
  if (canInstall()) return apt(['update'])
  console.error(
    'Courier and Cyrus could not be downloaded. On Debian run `sudo apt-get update`, then try again.',
  )
  process.exit(1)
}
