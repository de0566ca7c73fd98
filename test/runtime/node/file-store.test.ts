import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openFileStore } from '../../../runtime/node/file-store.ts'
import type { Store } from '../../../runtime/ports/store.ts'
import { temporaryStore } from '../../support/database.ts'
import { storeSuite } from '../suites/store.ts'

let database: Awaited<ReturnType<typeof temporaryStore>>
const opened: Store[] = []
beforeAll(async () => {
  database = await temporaryStore()
})
afterAll(async () => {
  for (const store of opened) await store.close()
  await database.remove()
})

storeSuite(async () => {
  const store = openFileStore(`file:${join(database.directory, 'svc.db')}`)
  opened.push(store)
  return store
})
