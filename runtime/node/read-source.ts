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
import { openFileSourceStore } from './file-source-store.ts'
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

/** The bodies of a source that is kept under `directory`. */
export const readKeptBodies = (
  directory: string,
  source: SourceReference,
): Promise<SourceReading<MessageBodies>> => readKept(directory, source, messageBodies)

/** An attachment of a kept source; undefined when it has none that is listed there. Throws `StorageError`. */
export const spoolAttachment = (
  spooling: Spooling,
  source: ListedSource,
  index: number,
): Promise<SourceReading<SpooledAttachment | undefined>> =>
  readKept(spooling.directory, source, async (bytes) => {
    const attachment = await readAttachment(bytes, source.attachments, index)
    return attachment && { info: attachment.info, ...(await spool(spooling, attachment.bytes)) }
  })

/** A kept source, byte for byte; never in the memory of the process as a whole. Throws `StorageError`. */
export async function spoolSource(
  spooling: Spooling,
  source: SourceReference,
): Promise<SourceReading<Spooled>> {
  const { file, filled: size } = await fillSpoolFile(spooling, (target) =>
    openFileSourceStore(spooling.directory).copyTo(target, source.sourceHash),
  )
  if (size !== undefined && size >= source.size) return { found: { file, size } }
  await file.close()
  return size === undefined ? 'missing' : 'header_only'
}

async function readKept<Found>(
  directory: string,
  { sourceHash, size }: SourceReference,
  read: (bytes: Uint8Array) => Promise<Found>,
): Promise<SourceReading<Found>> {
  const bytes = await openFileSourceStore(directory).getSized(sourceHash, size)
  if (!bytes) return 'missing'
  // Of a message that was too large to be fetched whole, only the header block is kept.
  if (bytes.byteLength < size) return 'header_only'
  const found = await read(bytes)
  freeMemory(bytes)
  return { found }
}

async function spool(spooling: Spooling, bytes: Uint8Array): Promise<Spooled> {
  const size = bytes.byteLength
  const { file } = await fillSpoolFile(spooling, (target) => target.writeFile(bytes))
  freeMemory(bytes)
  return { file, size }
}
