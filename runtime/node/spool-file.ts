import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/** A file without a name, for bytes on their way out: however the process ends, nothing is left of it. */
export async function openSpoolFile(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, `${randomUUID()}.spool`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
