import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'

interface LabAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

let found: LabAccount | undefined

/** The account the lab's servers run as: where we are root one that every Debian has, else ours. */
export function labAccount(): LabAccount {
  found ??= findAccount()
  return found
}

function findAccount(): LabAccount {
  const { uid, gid, username } = userInfo()
  if (uid !== 0) return { name: username, uid, gid }
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'mail'], { encoding: 'utf8' }))
  return { name: 'mail', uid: idOf('-u'), gid: idOf('-g') }
}
