import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'

import type { SourceStore } from '../ports/source-store.ts'

const decompress = promisify(zstdDecompress)

const HASH = /^[0-9a-f]{64}$/

/**
 * Sources as zstd files `ab/abcdef….zst` under `directory`, named by the SHA-256 of what is in them. A file
 * appears whole or not at all; it is not synced to the disk, for it can be fetched again. `put` works without
 * yielding, which is half the cost of doing it in steps: call it in a thread of its own.
 */
export function openFileSourceStore(directory: string): SourceStore {
  const fileOf = (hash: string): string => join(directory, hash.slice(0, 2), `${hash}.zst`)
  return {
    put: async (source) => {
      const hash = sha256(source)
      const file = fileOf(hash)
      if (!existsSync(file)) writeWhole(file, zstdCompressSync(source))
      return hash
    },
    get: async (hash) => {
      // A hash names a file: nothing else may reach the file system.
      if (!HASH.test(hash)) return undefined
      const file = fileOf(hash)
      const source = await readSource(file)
      if (source && sha256(source) === hash) return source
      // A damaged file must not stop the same source from being kept again.
      await rm(file, { force: true })
      return undefined
    },
    delete: async (hash) => {
      if (HASH.test(hash)) await rm(fileOf(hash), { force: true })
    },
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function writeWhole(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    writeInFolder(temporary, bytes)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

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

async function readSource(file: string): Promise<Uint8Array | undefined> {
  const compressed = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!compressed) return undefined
  const source = await decompress(compressed).catch(() => undefined)
  return source && new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
}
