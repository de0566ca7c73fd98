import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openFileStore } from '../../runtime/node/file-store.ts'
import type { Store } from '../../runtime/ports/store.ts'

/** A store over a fresh, migrated database file of its own, in a temporary folder that goes with it. */
export async function temporaryStore(): Promise<{
  store: Store
  directory: string
  readonly remove: () => Promise<void>
}> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-store-'))
  const file = join(directory, 'svc.db')
  copyFileSync(inject('databaseTemplate'), file)
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
