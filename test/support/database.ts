import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { migrateDatabase } from '../../runtime/node/migrate.ts'
import type { Store } from '../../runtime/ports/store.ts'

let template: Promise<string> | undefined

/** A store over a fresh, migrated database file of its own, in a temporary folder that goes with it. */
export async function temporaryStore(): Promise<{
  store: Store
  directory: string
  readonly remove: () => Promise<void>
}> {
  template ??= migratedTemplate()
  const directory = mkdtempSync(join(tmpdir(), 'svc-store-'))
  const file = join(directory, 'svc.db')
  copyFileSync(await template, file)
  const store = openFileStore(`file:${file}`)
  return {
    store,
    directory,
    remove: async () => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Migrating once per worker and copying the file is what keeps a database per test file cheap. */
async function migratedTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'template.db')
  await migrateDatabase(`file:${file}`)
  return file
}
