import { createHash, randomUUID } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pipeline as writePiped } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  createZstdCompress,
  createZstdDecompress,
  zstdCompressSync,
  zstdDecompress,
} from 'node:zlib'

import type { SourceStore } from '../ports/source-store.ts'
import { freeMemory } from './free-memory.ts'
import { isDiskUnreadable, storageFailure } from './storage-failure.ts'
import { sweepSourceFiles } from './sweep-source-files.ts'

const decompress = promisify(zstdDecompress)

const CHUNK_BYTES_MIN = 64 * 1024
const CHUNK_BYTES_MAX = 128 * 1024 * 1024
/** What is larger is compressed while it is written: its compressed form would stand in memory twice. */
const WHOLE_BYTES_MAX = 4 * 1024 * 1024
const HASH = /^[0-9a-f]{64}$/

/** A SourceStore whose sources can also be had without holding them in memory. */
export interface FileSourceStore extends SourceStore {
  /** As `get`; a source of `size` bytes takes no more memory than that. */
  getSized(hash: string, size: number): Promise<Uint8Array | undefined>
  /** Writes the source to `target` and returns its bytes; undefined when it is missing or damaged. */
  copyTo(target: FileHandle, hash: string): Promise<number | undefined>
}

/**
 * Sources as zstd files `ab/abcdef….zst` under `directory`, named by the SHA-256 of what is in them. A file
 * appears whole or not at all; it is not synced to the disk, for it can be fetched again. `put` works without
 * yielding, which is half the cost of doing it in steps: call it in a thread of its own.
 */
export function openFileSourceStore(directory: string): FileSourceStore {
  const fileOf = (hash: string): string => join(directory, hash.slice(0, 2), `${hash}.zst`)
  const get = async (hash: string, size: number) => {
    // A hash names a file: nothing else may reach the file system.
    if (!HASH.test(hash)) return undefined
    const file = fileOf(hash)
    const source = await readSource(file, size)
    if (source === 'unreadable') return undefined
    if (source && sourceHashOf(source) === hash) return source
    // A damaged file must not stop the same source from being kept again.
    await forget(file)
    return undefined
  }
  return {
    put: async (source) => {
      const hash = sourceHashOf(source)
      const file = fileOf(hash)
      if (isRenewed(file)) return hash
      if (source.byteLength > WHOLE_BYTES_MAX) await writeInSteps(file, source)
      else writeWhole(file, zstdCompressSync(source))
      return hash
    },
    get: (hash) => get(hash, CHUNK_BYTES_MIN),
    getSized: get,
    copyTo: async (target, hash) => {
      if (!HASH.test(hash)) return undefined
      const copied = await copySource(fileOf(hash), target)
      if (copied === 'unreadable') return undefined
      if (copied.hash === hash) return copied.bytes
      await forget(fileOf(hash))
      return undefined
    },
    delete: async (hash) => {
      if (HASH.test(hash)) await rm(fileOf(hash), { force: true })
    },
    sweep: (sweep) => sweepSourceFiles(directory, sweep),
  }
}

/** The name of a source, also of one that is not kept: SHA-256 in lower-case hex. */
export const sourceHashOf = (source: Uint8Array): string =>
  createHash('sha256').update(source).digest('hex')

/** Whether the file is there; it then counts as put now, so that no sweep takes it before it is named. */
function isRenewed(file: string): boolean {
  // Nearly always, and cheaper than an error.
  if (!existsSync(file)) return false
  const now = new Date()
  try {
    utimesSync(file, now, now)
    return true
  } catch {
    return existsSync(file)
  }
}

function writeWhole(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    writeInFolder(temporary, bytes)
    renameSync(temporary, file)
  } catch (error) {
    removeRemains(temporary)
    throw storageFailure(error)
  }
}

async function writeInSteps(file: string, source: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    await writePiped(
      Readable.from(blocksOf(source)),
      createZstdCompress(),
      createWriteStream(temporary, { mode: 0o600 }),
    )
    renameSync(temporary, file)
  } catch (error) {
    removeRemains(temporary)
    throw storageFailure(error)
  }
}

/** As far as a disk allows it that has just failed: what it said then is what counts. A sweep takes what is left. */
function removeRemains(temporary: string): void {
  try {
    rmSync(temporary, { force: true })
  } catch {
    // Nothing more can be done.
  }
}

function* blocksOf(source: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < source.length; start += CHUNK_BYTES_MIN)
    yield source.subarray(start, start + CHUNK_BYTES_MIN)
}

/** A disk that refuses even that must not keep anybody from reading. */
const forget = (file: string) => rm(file, { force: true }).catch(() => undefined)

/** The folder is made when it turns out to be missing: asking first would cost more than most writes. */
function writeInFolder(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, bytes, { mode: 0o600 })
  }
}

async function readSource(
  file: string,
  size: number,
): Promise<Uint8Array | 'unreadable' | undefined> {
  const compressed = await unlessUnreadable(
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    }),
  )
  if (!compressed || compressed === 'unreadable') return compressed
  // What fits into one chunk is not put together from many, which would take twice the memory for a moment.
  const chunkSize = Math.min(Math.max(size + 1, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX)
  const source = await decompress(compressed, { chunkSize }).catch(() => undefined)
  freeMemory(compressed)
  return source && new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
}

async function copySource(file: string, target: FileHandle) {
  const hash = createHash('sha256')
  let bytes = 0
  const chunks = chunksOf(file)
  for (;;) {
    const next = await unlessUnreadable(chunks.next())
    if (next === 'unreadable') return next
    if (next.done) return { hash: hash.digest('hex'), bytes }
    hash.update(next.value)
    bytes += next.value.length
    await target.appendFile(next.value)
  }
}

/**
 * `unreadable`: the disk cannot give the file now. It is left alone, for it need not be damaged: a cable may be, and
 * whoever has the source elsewhere is asked for it meanwhile.
 */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | 'unreadable'> {
  try {
    return await reading
  } catch (error) {
    if (isDiskUnreadable(error)) return 'unreadable'
    throw error
  }
}

/** The chunks of a source as far as they can be read: the hash tells whether that is all of it. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const chunks = pipeline(createReadStream(file), createZstdDecompress(), () => undefined)
  try {
    yield* chunks as AsyncIterable<Uint8Array>
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined && code !== 'ENOENT') throw error
  }
}
