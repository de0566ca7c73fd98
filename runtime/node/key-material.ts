import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../ports/config.ts'
import { UnusableDataDirectory, unusable } from './data-directory.ts'

const KEY_FILE = 'secret.key'
const KEY_BYTES = 32

/** What keys are derived for: each purpose has a key of its own (HKDF, RFC 5869). */
type KeyPurpose = 'secret-box' | 'sidecar-secret'

/** Derives keys from one secret. */
export interface KeyMaterial {
  derive(purpose: KeyPurpose): Uint8Array<ArrayBuffer>
}

/** The secret of the configuration, or that of the key file in the data directory, created when missing. */
export function openKeyMaterial(config: Pick<Config, 'secret' | 'dataDir'>): KeyMaterial {
  const material = config.secret ?? readOrCreateKey(config.dataDir)
  return {
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', material, '', purpose, KEY_BYTES)),
  }
}

function readOrCreateKey(dataDir: string): Buffer {
  const file = join(dataDir, KEY_FILE)
  try {
    const key = readKey(file) ?? createKey(file)
    if (key.length === KEY_BYTES) return key
  } catch (error) {
    throw unusable(dataDir, error)
  }
  throw new UnusableDataDirectory(`${file} is damaged. Restore it from a backup.`)
}

function readKey(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Linked into place, so that a process that starts at the same time reads a whole key, and the same one. */
function createKey(file: string): Buffer {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file)
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
