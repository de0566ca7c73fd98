import type { Needs } from '../../runtime/ports/runtime.ts'
import { attachedBytesMax, attachmentsMax, type UploadedData } from './attachment-input.ts'
import { type AttachmentWriter, attachmentWriter, CHUNK_BYTES } from './attachment-writer.ts'
import { type Base64Decoder, base64Decoder, decodedMax } from './base64.ts'
import { discardData } from './discard-data.ts'

/** Base64 is decoded in slices of at most so many bytes. */
const SLICE_BYTES = 64 * 1024

/** The large attachments of one request, one after the other. */
export interface AttachmentUploads {
  /** Stores some more base64 of the attachment that has this name. */
  take(name: string, base64: Uint8Array): Promise<void>
  /** What was stored of each, by name, once all of it has come. */
  end(): Promise<ReadonlyMap<string, UploadedData>>
  /** Forgets what nothing was given. */
  discard(): Promise<void>
}

interface Upload {
  readonly name: string
  readonly decoder: Base64Decoder
  readonly writer: AttachmentWriter
  size: number
}

/**
 * Stores attachments while they arrive, with a single chunk of them in memory. Of what is too much or too many no more
 * is stored: whoever checks the attachments refuses it. Whoever gives them lets others go meanwhile.
 */
export function attachmentUploads(ctx: Needs<'store' | 'clock'>): AttachmentUploads {
  const chunk = new Uint8Array(CHUNK_BYTES)
  const ended = new Map<string, UploadedData>()
  const dataIds: string[] = []
  let room = attachedBytesMax
  let filled = 0
  let current: Upload | undefined

  const begin = (name: string): Upload => {
    const writer = attachmentWriter(ctx)
    if (dataIds.length < attachmentsMax) dataIds.push(writer.dataId)
    return { name, decoder: base64Decoder(), writer, size: 0 }
  }
  const flush = async (upload: Upload) => {
    const bytes = chunk.subarray(0, filled)
    filled = 0
    upload.size += bytes.length
    room -= bytes.length
    if (room >= 0 && ended.size < attachmentsMax) await upload.writer.write(bytes)
  }
  const endCurrent = async () => {
    if (!current) return
    await flush(current)
    const { name, decoder, writer, size } = current
    if (room >= 0 && ended.size < attachmentsMax) await writer.end()
    ended.set(name, { dataId: writer.dataId, size: decoder.isWhole() ? size : undefined })
    current = undefined
  }
  return {
    async take(name, base64) {
      if (current?.name !== name) await endCurrent()
      current ??= begin(name)
      for (let start = 0; start < base64.length; start += SLICE_BYTES) {
        const slice = base64.subarray(start, start + SLICE_BYTES)
        if (filled + decodedMax(slice.length) > CHUNK_BYTES) await flush(current)
        filled = current.decoder.decode(slice, chunk, filled)
      }
    },
    async end() {
      await endCurrent()
      return ended
    },
    discard: () => discardData(ctx, dataIds),
  }
}
