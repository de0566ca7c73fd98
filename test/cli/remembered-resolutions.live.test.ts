import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const HOOKS = join(ROOT, 'cli/remembered-resolutions.ts')

/** All that the package's modules export, by where each was found. */
const PROGRAM = `
  const names = ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/libsql', 'drizzle-orm/libsql']
  for (const name of names) {
    const all = await import(name)
    console.log(import.meta.resolve(name), Object.keys(all).join())
  }
  console.log((await import('drizzle-orm/no-such').catch((error) => error)).code)`

async function seenWith(...options: readonly string[]): Promise<string> {
  const args = [...options, '--input-type=module', '--eval', PROGRAM]
  return (await promisify(execFile)(process.execPath, args, { cwd: ROOT })).stdout
}

test('a package whose resolutions are remembered is the package that node finds', async () => {
  const found = await seenWith()
  expect(found).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  expect(await seenWith('--import', HOOKS)).toBe(found)
})
