import type { FileHandle } from 'node:fs/promises'
import type { Download } from '../ports/source-reader.ts'

const CHUNK_BYTES = 64 * 1024

export interface SpooledDownloadOptions {
  readonly size: number
  /** How long nobody may read on before the download is given up. */
  readonly stallMs: number
  /** Called once, when nothing of the download is held any more. */
  readonly onEnd: () => void
}

/** Hands out the first `size` bytes of a file, a piece in memory at a time, and closes it in the end. */
export function spooledDownload(file: FileHandle, options: SpooledDownloadOptions): Download {
  const { size, stallMs, onEnd } = options
  let position = 0
  let ended = false
  let stalled: NodeJS.Timeout | undefined

  const end = async () => {
    if (ended) return
    ended = true
    clearTimeout(stalled)
    await file.close().finally(onEnd)
  }
  const watch = (controller: ReadableStreamDefaultController) => {
    clearTimeout(stalled)
    stalled = setTimeout(() => {
      controller.error(new Error('Nobody read on.'))
      void end().catch(() => undefined)
    }, stallMs).unref()
  }
  const readOn = async (controller: ReadableStreamDefaultController) => {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) throw new Error('The file ended too early.')
    position += bytesRead
    controller.enqueue(chunk.subarray(0, bytesRead))
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: watch,
      async pull(controller) {
        clearTimeout(stalled)
        try {
          if (position < size) await readOn(controller)
        } catch (error) {
          await end()
          throw error
        }
        if (position < size) return watch(controller)
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return { size, stream }
}
