import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
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

/** The longest that this process may make a file. */
const limitFiles = (bytes: string) =>
  void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])

test('what the disk refused is rolled back and told in plain words, and later writes succeed', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const token = (selector: string, label: string) =>
    ({ selector, secretHash: 'hash', label, scopes: 'mail:read', createdAt: 1 }) as const
  const selectors = async () =>
    (await store.read.select({ selector: tokens.selector }).from(tokens)).map((row) => row.selector)
  const commit = (selector: string) =>
    store.commit((write) => [write.insert(tokens).values(token(selector, 'small'))])
  /** More than SQLite keeps in memory, so that it fails in the middle. */
  const transactionInPieces = () =>
    store.transaction(async (tx) => {
      for (let piece = 0; piece < 40; piece += 1)
        await tx.insert(tokens).values(token(`piece-${piece}`, 'x'.repeat(200_000)))
    })

  await commit('before')
  limitFiles('16384')
  onTestFinished(() => limitFiles('unlimited'))
  const refused = {
    name: 'StorageError',
    message: expect.stringContaining('The data directory cannot be written.'),
  }
  await expect(transactionInPieces()).rejects.toMatchObject(refused)
  limitFiles('0')
  await expect(commit('refused')).rejects.toMatchObject(refused)
  expect(await store.writeTrouble()).toContain('The data directory cannot be written.')
  expect(await selectors()).toEqual(['before'])

  limitFiles('unlimited')
  expect(await store.writeTrouble()).toBeUndefined()
  await transactionInPieces()
  await commit('after')
  expect(await selectors()).toHaveLength(42)
})
