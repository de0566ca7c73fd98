import { existsSync } from 'node:fs'

import { apt, canInstall, installCommand } from '../lab/debian.ts'

/** The programs whose work together is what a first sync of ours does: fetch all sources, and index their text. */
const PEERS: readonly Peer[] = [
  { name: 'isync', program: '/usr/bin/mbsync' },
  { name: 'notmuch', program: '/usr/bin/notmuch' },
]

interface Peer {
  /** Of the Debian package. */
  readonly name: 'isync' | 'notmuch'
  readonly program: string
}

/** Whether these are here, both unless told otherwise, installed if need be; says so where they cannot be. */
export function hasPeers(names: readonly Peer['name'][] = ['isync', 'notmuch']): boolean {
  const missing = PEERS.filter(
    ({ name, program }) => names.includes(name) && !existsSync(program),
  ).map(({ name }) => name)
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
