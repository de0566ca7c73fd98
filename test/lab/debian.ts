import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether packages can be installed without asking anybody: on Debian, as root. */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** The arguments of apt-get that install `packages` and nothing they merely recommend. */
export const installCommand = (packages: readonly string[]) => [
  'install',
  '-y',
  '--no-install-recommends',
  ...packages,
]

/** Runs apt-get, which says on standard error what it does. Throws when it fails. */
export function apt(command: readonly string[]): void {
  execFileSync('apt-get', command, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  })
}
