import type { MiddlewareHandler } from 'hono'
import {
  type AttachmentUploads,
  attachmentUploads,
} from '../../domain/submission/attachment-uploads.ts'
import type { ApiEnv } from '../kit/env.ts'
import { longDataScan } from '../kit/long-data-scan.ts'
import { timeSlices } from '../kit/time-slices.ts'

/** Shorter bodies are read in one go, as is everybody's. */
const LARGE_BODY_BYTES = 1024 * 1024

/** All large bodies of this process share it: a step of one of them takes some milliseconds. */
const timeSlice = timeSlices(1)

/**
 * Reads a large JSON body piece by piece and stores the long values of `data` while they arrive: 25 MiB in base64 would
 * stand in memory four times, and hold up everybody else while it is parsed. What is left is parsed as ever; what the
 * request has then not come to name is discarded before it is answered.
 */
export const takeOutLongData: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { body } = c.req.raw
  const bytes = Number(c.req.header('Content-Length') ?? Infinity)
  if (!body || !(bytes > LARGE_BODY_BYTES)) return next()
  const uploads = attachmentUploads(c.var.runtime)
  const reading = scanned(body, uploads).then(async (text) => {
    c.set('longData', await uploads.end())
    return text
  })
  // The cache holds promises, whatever its type says.
  c.req.bodyCache.text = reading as unknown as string
  try {
    await next()
  } finally {
    // Whoever validates the body learns of a failure; where nobody does, it is of no interest.
    await reading.catch(() => undefined)
    // What cannot be discarded now is swept later.
    await uploads.discard().catch(() => undefined)
  }
}

async function scanned(
  body: ReadableStream<Uint8Array>,
  uploads: AttachmentUploads,
): Promise<string> {
  const scan = longDataScan(crypto.randomUUID())
  for await (const chunk of chunksOf(body)) {
    for (const { name, bytes } of scan.take(chunk)) await uploads.take(name, bytes)
    // All of this takes long, the first times many times as long.
    await timeSlice()
  }
  return scan.end()
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
    giveBack(value)
  }
}

/** What has been read is nobody's any more. Left to the garbage collector, it makes that stop everybody twice as often. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
