import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tokens } from '../../../db/schema/tokens.ts'
import { temporaryStore } from '../../support/database.ts'

const WRITER = fileURLToPath(new URL('token-writer.ts', import.meta.url))
const COUNT = 200

test('processes that write to one file wait for each other and lose nothing', async () => {
  const { store, directory, remove } = await temporaryStore()
  const url = `file:${join(directory, 'svc.db')}`
  const run = (prefix: string) =>
    promisify(execFile)(process.execPath, [WRITER, url, prefix, String(COUNT)])
  await Promise.all([run('a'), run('b'), run('c')])
  expect(await store.read.select().from(tokens)).toHaveLength(3 * COUNT)
  await remove()
})
