import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

import type { SourceStore } from '../ports/source-store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const HASH = /^[0-9a-f]{64}$/

/**
 * Sources as zstd files `ab/abcdef….zst` under `directory`, named by the SHA-256 of what is in them. A file
 * appears whole or not at all; it is not synced to the disk, for it can be fetched again.
 */
export function openFileSourceStore(directory: string): SourceStore {
  const fileOf = (hash: string): string => join(directory, hash.slice(0, 2), `${hash}.zst`)
  return {
    put: async (source) => {
      const hash = sha256(source)
      const file = fileOf(hash)
      if (!(await exists(file))) await writeWhole(file, await compress(source))
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

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, bytes, { mode: 0o600 })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
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
