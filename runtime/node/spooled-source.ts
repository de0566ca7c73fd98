import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { SpooledSource } from '../ports/spooled-source.ts'

const readSome = promisify(read)

/** Where a spooled source lies: what another thread is told of it. */
export type SpooledAt = Pick<SpooledSource, 'fd' | 'byteLength'>

/** The source that the first `byteLength` bytes of the file are. */
export const spooledSource = (file: FileHandle, byteLength: number): SpooledSource => ({
  fd: file.fd,
  byteLength,
  read: () => readSpooled({ fd: file.fd, byteLength }),
  close: () => file.close(),
})

/** All of the source, which must not be closed meanwhile, in memory of its own. */
export async function readSpooled({ fd, byteLength }: SpooledAt): Promise<Uint8Array<ArrayBuffer>> {
  const source = new Uint8Array(byteLength)
  for (let at = 0; at < byteLength;) {
    const { bytesRead } = await readSome(fd, source, at, byteLength - at, at)
    if (bytesRead === 0) throw new Error('The file of a source ended too early.')
    at += bytesRead
  }
  return source
}
