import type { MiddlewareHandler } from 'hono'
import type { ApiEnv } from '../kit/env.ts'
import { longDataScan } from '../kit/long-data-scan.ts'

/** Shorter bodies are read in one go, as is everybody's. */
const LARGE_BODY_BYTES = 1024 * 1024

/**
 * Reads a large JSON body piece by piece and takes the long values of `data` out of it: 25 MiB in base64 would stand in
 * memory four times, and hold up everybody else while it is parsed. What is left is parsed as ever.
 */
export const takeOutLongData: MiddlewareHandler<ApiEnv> = (c, next) => {
  const { body } = c.req.raw
  const bytes = Number(c.req.header('Content-Length') ?? Infinity)
  if (!body || !(bytes > LARGE_BODY_BYTES)) return next()
  const reading = scanned(body).then(({ text, longData }) => {
    c.set('longData', longData)
    return text
  })
  // Whoever validates the body learns of a failure; where nobody does, it is of no interest.
  reading.catch(() => undefined)
  // The cache holds promises, whatever its type says.
  c.req.bodyCache.text = reading as unknown as string
  return next()
}

async function scanned(body: ReadableStream<Uint8Array>) {
  const scan = longDataScan(crypto.randomUUID())
  for await (const chunk of chunksOf(body)) scan.take(chunk)
  return scan.end()
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
