import { join } from 'node:path'
import { ENVIRONMENT_PREFIX } from '../../../../domain/identity.ts'
import { LOOPBACK } from './loopback.ts'

/** What people may set for the demo too. */
const KEPT = ['PORT', 'LOG_LEVEL']

/**
 * Makes the settings of this process and its children those of the demo: reachable from this machine only,
 * quiet, all its files in `directory`, and with none of the stores, keys and addresses of an instance that is
 * somebody's own.
 */
export function useDemoSettings(directory: string): void {
  for (const name of Object.keys(process.env)) {
    const isSetting = name.startsWith(ENVIRONMENT_PREFIX)
    if (isSetting && !KEPT.includes(name.slice(ENVIRONMENT_PREFIX.length))) delete process.env[name]
  }
  set('HOST', LOOPBACK)
  set('DATA_DIR', join(directory, 'data'))
  process.env['TMPDIR'] = directory
  if (!process.env[`${ENVIRONMENT_PREFIX}LOG_LEVEL`]) set('LOG_LEVEL', 'warn')
}

export const useDemoPort = (port: number): void => set('PORT', String(port))

function set(name: string, value: string): void {
  process.env[ENVIRONMENT_PREFIX + name] = value
}
