import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import {
  openFileSourceStore,
  type FileSourceStore,
} from '../../../runtime/node/file-source-store.ts'
import { openSpoolFile } from '../../../runtime/node/spool-file.ts'
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

const EVERYTHING = { beforeMs: Infinity, named: async () => new Set<string>() }
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

test('a sweep takes what writes that were cut off have left, and nothing that it does not know', async () => {
  const root = ownDirectory()
  const store = openFileSourceStore(root)
  const hash = await store.put(source)
  const folder = join(root, hash.slice(0, 2))
  const remains = [join(root, 'a.spool'), join(folder, `${hash}.zst.b.tmp`)]
  const others = [join(root, 'notes.txt'), join(folder, 'notes.txt')]
  for (const file of [...remains, ...others]) writeFileSync(file, 'x')
  const sweep = (beforeMs: number) =>
    all(store.sweep({ beforeMs, named: async () => new Set([hash]) }))
  expect(await sweep(Date.now() - 60_000)).toEqual([0, 0])
  expect(await sweep(Date.now() + 60_000)).toEqual([1, 1])
  expect(remains.filter((file) => existsSync(file))).toEqual([])
  expect(others.filter((file) => existsSync(file))).toEqual(others)
  expect(await all(openFileSourceStore(join(root, 'none')).sweep(EVERYTHING))).toEqual([0])
})

async function all(counts: AsyncIterable<number>): Promise<readonly number[]> {
  const read: number[] = []
  for await (const count of counts) read.push(count)
  return read
}

test('a source that is put again is as young as a new one', async () => {
  const store = openFileSourceStore(ownDirectory())
  const hash = await store.put(source)
  const putMs = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await store.put(source)
  for await (const removed of store.sweep({ ...EVERYTHING, beforeMs: putMs + 25 }))
    expect(removed).toBe(0)
  expect(await store.get(hash)).toBeDefined()
})

test('a damaged file is as good as none, and the source can be kept again', async () => {
  const directory = ownDirectory()
  const store = openFileSourceStore(directory)
  const hash = await store.put(source)
  const other = await store.put(new TextEncoder().encode('another source'))
  const file = (name: string) => join(directory, name.slice(0, 2), `${name}.zst`)
  const readings = [(name: string) => store.get(name), (name: string) => copied(store, name)]
  for (const damage of [Buffer.from('no zstd at all'), Buffer.alloc(0)]) {
    for (const read of readings) {
      writeFileSync(file(hash), damage)
      expect(await read(hash)).toBeUndefined()
      await store.put(source)
      expect(await read(hash)).toEqual(source)
    }
  }
  for (const read of readings) {
    copyFileSync(file(other), file(hash))
    expect(await read(hash)).toBeUndefined()
  }
  const cut = readFileSync(file(other)).subarray(0, -1)
  writeFileSync(file(other), cut)
  expect(await copied(store, other)).toBeUndefined()
})

test('a file that the disk cannot give is as good as none, and left alone', async () => {
  const directory = ownDirectory()
  const store = openFileSourceStore(directory)
  const hash = await store.put(source)
  const file = join(directory, hash.slice(0, 2), `${hash}.zst`)
  rmSync(file)
  // Reading its first byte is an I/O error for every process.
  symlinkSync('/proc/self/mem', file)
  expect(await store.get(hash)).toBeUndefined()
  expect(await copied(store, hash)).toBeUndefined()
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
})

test('a source is read whatever size is expected of it', async () => {
  const store = openFileSourceStore(ownDirectory())
  const large = new Uint8Array(randomBytes(3_000_000))
  const hash = await store.put(large)
  for (const size of [0, 1, large.length, 10 ** 12])
    expect(Buffer.compare((await store.getSized(hash, size)) ?? Buffer.alloc(0), large)).toBe(0)
  expect(await copied(store, hash)).toHaveLength(large.length)
  expect(await copied(store, 'ab'.repeat(32))).toBeUndefined()
  expect(await copied(store, '../../etc/passwd')).toBeUndefined()
})

/** What `copyTo` writes; undefined when it says that there is nothing. */
async function copied(store: FileSourceStore, hash: string): Promise<Uint8Array | undefined> {
  const target = await openSpoolFile(ownDirectory())
  const bytes = await store.copyTo(target, hash)
  const written = Buffer.alloc(bytes ?? 0)
  await target.read(written, 0, written.length, 0)
  await target.close()
  return bytes === undefined ? undefined : new Uint8Array(written)
}
