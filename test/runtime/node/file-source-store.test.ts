import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { openFileSourceStore } from '../../../runtime/node/file-source-store.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { sourceStoreSuite } from '../suites/source-store.ts'

function ownDirectory(): string {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return directory.path
}

sourceStoreSuite('the store on disk', async (body) => {
  const directory = ownDirectory()
  await body(openFileSourceStore(join(directory, 'sources')))
})

const source = new TextEncoder().encode('Subject: hello\r\n\r\nworld\r\n')

test('files and folders are private, and nothing temporary is left', async () => {
  const directory = ownDirectory()
  const root = join(directory, 'sources')
  const hash = await openFileSourceStore(root).put(source)
  const folder = join(root, hash.slice(0, 2))
  expect(readdirSync(folder)).toEqual([`${hash}.zst`])
  expect(statSync(root).mode & 0o777).toBe(0o700)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, `${hash}.zst`)).mode & 0o777).toBe(0o600)
})

test('a damaged file is as good as none, and the source can be kept again', async () => {
  const directory = ownDirectory()
  const store = openFileSourceStore(directory)
  const hash = await store.put(source)
  const other = await store.put(new TextEncoder().encode('another source'))
  const file = (name: string) => join(directory, name.slice(0, 2), `${name}.zst`)
  for (const damage of [Buffer.from('no zstd at all'), Buffer.alloc(0)]) {
    writeFileSync(file(hash), damage)
    expect(await store.get(hash)).toBeUndefined()
    await store.put(source)
    expect(await store.get(hash)).toEqual(source)
  }
  copyFileSync(file(other), file(hash))
  expect(await store.get(hash)).toBeUndefined()
})
