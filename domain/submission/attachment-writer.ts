import { eq } from 'drizzle-orm'
import { attachmentChunks, attachmentData } from '../../db/schema/attachment-data.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Bytes of one chunk at most: a write holds up others for a few milliseconds, so let them go between two. */
export const CHUNK_BYTES = 256 * 1024

/** Stores bytes that nothing names yet. */
export interface AttachmentWriter {
  readonly dataId: string
  /** Stores a chunk, of at most `CHUNK_BYTES`, which is the caller's again when it resolves. */
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<{ readonly dataId: string; readonly size: number }>
}

/**
 * Writes in many small transactions, which are not durable by themselves: the one that names the bytes in the end is,
 * and with it all that was written before.
 */
export function attachmentWriter({ store, clock }: Needs<'store' | 'clock'>): AttachmentWriter {
  const dataId = crypto.randomUUID()
  const row = { id: dataId, size: 0, createdAt: clock.now().getTime() }
  let position = 0
  let size = 0
  return {
    dataId,
    async write(bytes) {
      if (bytes.length === 0) return
      await store.transaction(async (tx) => {
        if (position === 0) await tx.insert(attachmentData).values(row)
        await tx.insert(attachmentChunks).values({ dataId, position, bytes })
      })
      position += 1
      size += bytes.length
    },
    async end() {
      await store.transaction((tx) =>
        position === 0
          ? tx.insert(attachmentData).values(row)
          : tx.update(attachmentData).set({ size }).where(eq(attachmentData.id, dataId)),
      )
      return { dataId, size }
    },
  }
}
