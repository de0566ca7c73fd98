import { existsSync } from 'node:fs'

import { apt, canInstall, installCommand } from '../lab/debian.ts'

/** The programs whose work together is what a first sync of ours does: fetch all sources, and index their text. */
const PEERS = [
  { name: 'isync', program: '/usr/bin/mbsync' },
  { name: 'notmuch', program: '/usr/bin/notmuch' },
]

/** Whether mbsync and notmuch are here, installed if need be; says so where they cannot be. */
export function hasPeers(): boolean {
  const missing = PEERS.filter(({ program }) => !existsSync(program)).map(({ name }) => name)
  if (missing.length === 0) return true
  try {
    if (!canInstall()) throw new Error('this takes root on Debian')
    apt(['update'])
    apt(installCommand(missing))
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const command = `apt-get ${installCommand(missing).join(' ')}`
    console.error(`There will be no peers: ${missing.join(', ')} not installed (${reason}).`)
    console.error(`  sudo sh -c 'apt-get update && ${command}'`)
    return false
  }
}
