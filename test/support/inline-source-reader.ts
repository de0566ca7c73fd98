import { sourceHashOf } from '../../domain/sources/source-hash.ts'
import { messageBodies } from '../../domain/mime/message-bodies.ts'
import { readAttachment } from '../../domain/mime/read-attachment.ts'
import type {
  Download,
  SourceReader,
  SourceReading,
  SourceReference,
} from '../../runtime/ports/source-reader.ts'
import type { SourceStore } from '../../runtime/ports/source-store.ts'

/** Reads where it is called, without threads and files. */
export function inlineSourceReader(sourceStore: SourceStore): SourceReader {
  const read = async <Found>(
    { sourceHash, size, bytes }: SourceReference,
    find: (source: Uint8Array) => Promise<Found> | Found,
  ): Promise<SourceReading<Found>> => {
    const source = bytes ?? (await sourceStore.get(sourceHash))
    if (!source || sourceHashOf(source) !== sourceHash) return 'missing'
    return source.byteLength < size ? 'header_only' : { found: await find(source) }
  }
  return {
    bodies: (source) => read(source, messageBodies),
    attachment: (source, index) =>
      read(source, async (bytes) => {
        const attachment = await readAttachment(bytes, source.attachments, index)
        return attachment && { info: attachment.info, ...download(attachment.bytes) }
      }),
    whole: (source) => read(source, download),
  }
}

const download = (bytes: Uint8Array): Download => ({
  size: bytes.byteLength,
  stream: new Blob([new Uint8Array(bytes)]).stream(),
})
