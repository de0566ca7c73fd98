import type { FileHandle } from 'node:fs/promises'
import type { AttachmentInfo } from '../../db/schema/contents.ts'
import { messageBodies } from '../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'
import type {
  ListedSource,
  MessageBodies,
  SourceReading,
  SourceReference,
} from '../ports/source-reader.ts'
import { openFileSourceStore, sourceHashOf } from './file-source-store.ts'
import { freeMemory } from './free-memory.ts'
import { fillSpoolFile, type Spooling } from './spool-file.ts'

/** Bytes in a file that has no name; whoever has the handle closes it. */
export interface Spooled {
  readonly file: FileHandle
  readonly size: number
}

/** An attachment whose bytes are in a file. */
export interface SpooledAttachment extends Spooled {
  readonly info: AttachmentInfo
}

/** The bodies of a source that is given, or kept under `directory`. */
export const readBodies = (
  directory: string,
  source: SourceReference,
): Promise<SourceReading<MessageBodies>> => readSource(directory, source, messageBodies)

/** An attachment of a source; undefined when it has none that is listed there. Throws `StorageError`. */
export const spoolAttachment = (
  spooling: Spooling,
  source: ListedSource,
  index: number,
): Promise<SourceReading<SpooledAttachment | undefined>> =>
  readSource(spooling.directory, source, async (bytes) => {
    const attachment = await readAttachment(bytes, source.attachments, index)
    return attachment && { info: attachment.info, ...(await spool(spooling, attachment.bytes)) }
  })

/** A source, byte for byte; a kept one is never in the memory of the process as a whole. Throws `StorageError`. */
export async function spoolSource(
  spooling: Spooling,
  source: SourceReference,
): Promise<SourceReading<Spooled>> {
  const { file, filled: size } = await fillSpoolFile(spooling, (target) =>
    source.bytes
      ? writeGiven(target, source.bytes, source.sourceHash)
      : openFileSourceStore(spooling.directory).copyTo(target, source.sourceHash),
  )
  if (size !== undefined && size >= source.size) return { found: { file, size } }
  await file.close()
  return size === undefined ? 'missing' : 'header_only'
}

async function writeGiven(
  target: FileHandle,
  bytes: Uint8Array,
  sourceHash: string,
): Promise<number | undefined> {
  if (!isSource(bytes, sourceHash)) return undefined
  await target.writeFile(bytes)
  return bytes.byteLength
}

async function readSource<Found>(
  directory: string,
  { sourceHash, size, bytes: given }: SourceReference,
  read: (bytes: Uint8Array) => Promise<Found>,
): Promise<SourceReading<Found>> {
  const bytes = given ?? (await openFileSourceStore(directory).getSized(sourceHash, size))
  if (!bytes || (given && !isSource(given, sourceHash))) return 'missing'
  // Of a message that was too large to be fetched whole, only the header block is kept.
  if (bytes.byteLength < size) return 'header_only'
  const found = await read(bytes)
  freeMemory(bytes)
  return { found }
}

const isSource = (bytes: Uint8Array, sourceHash: string) => sourceHashOf(bytes) === sourceHash

async function spool(spooling: Spooling, bytes: Uint8Array): Promise<Spooled> {
  const size = bytes.byteLength
  const { file } = await fillSpoolFile(spooling, (target) => target.writeFile(bytes))
  freeMemory(bytes)
  return { file, size }
}
