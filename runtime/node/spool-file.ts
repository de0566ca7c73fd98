import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StorageError } from '../ports/storage-error.ts'
import { storageFailure } from './storage-failure.ts'

/**
 * Where bytes on their way out lie: beside the sources, or elsewhere while that disk refuses them, so that mail is
 * read all the same.
 */
export const SPOOL_PLACES = ['beside', 'elsewhere'] as const
export type SpoolPlace = (typeof SPOOL_PLACES)[number]

/** Memory, mostly: whoever spools there has to bound it. */
const ELSEWHERE = ['/dev/shm', tmpdir()]

/** The directory of the sources, and where of the two to spool. */
export interface Spooling {
  readonly directory: string
  readonly place: SpoolPlace
}

/**
 * Lets `fill` write into a file without a name: however the process ends, nothing is left of it. May call `fill`
 * again, with another file, where a disk refuses; throws `StorageError` when all of the place do.
 */
export async function fillSpoolFile<Filled>(
  { directory, place }: Spooling,
  fill: (file: FileHandle) => Promise<Filled>,
): Promise<{ readonly file: FileHandle; readonly filled: Filled }> {
  let refusal: unknown
  for (const at of place === 'beside' ? [directory] : ELSEWHERE) {
    try {
      return await fillAt(at, fill)
    } catch (error) {
      refusal = storageFailure(error)
      if (!(refusal instanceof StorageError)) throw error
    }
  }
  throw refusal
}

async function fillAt<Filled>(directory: string, fill: (file: FileHandle) => Promise<Filled>) {
  const file = await openSpoolFile(directory)
  try {
    return { file, filled: await fill(file) }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** An empty file without a name. */
export async function openSpoolFile(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, `${randomUUID()}.spool`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
