import { randomBytes } from 'node:crypto'
import { get, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFileSourceStore } from '../../../runtime/node/file-source-store.ts'
import { listen } from '../../../runtime/node/http-listener.ts'
import { openMimeParserPool, type MimeParserPool } from '../../../runtime/node/mime-parser-pool.ts'
import type { Spooled } from '../../../runtime/node/read-source.ts'
import { threadedSourceReader } from '../../../runtime/node/threaded-source-reader.ts'
import { harness } from '../../support/harness.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const MIB = 1024 * 1024
const ATTACHMENT = randomBytes(10 * MIB)
const SOURCE = [
  'Subject: large',
  'Content-Type: application/octet-stream',
  'Content-Transfer-Encoding: base64',
  '',
  ATTACHMENT.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
].join('\r\n')
/** Room for four of them. */
const SPOOL_BYTES_MAX = 64 * MIB

/** The pool, counting what it works on and the bytes that lie in its files. */
function counted(pool: MimeParserPool) {
  const most = { parsings: 0, parsedAtOnce: 0, spooledBytes: 0 }
  let parsed = 0
  const spooled: Spooled[] = []
  const count = (download: Spooled) => {
    spooled.push(download)
    most.spooledBytes = Math.max(most.spooledBytes, heldBytes())
  }
  const heldBytes = () =>
    spooled.filter(({ file }) => file.fd >= 0).reduce((sum, { size }) => sum + size, 0)
  const parser: Pick<MimeParserPool, 'bodies' | 'attachment' | 'whole'> = {
    bodies: (source) => pool.bodies(source),
    async attachment(source, index, place) {
      parsed += 1
      most.parsings += 1
      most.parsedAtOnce = Math.max(most.parsedAtOnce, parsed)
      const reading = await pool.attachment(source, index, place).finally(() => (parsed -= 1))
      if (typeof reading !== 'string' && reading.found) count(reading.found)
      return reading
    },
    async whole(source, place) {
      const reading = await pool.whole(source, place)
      if (typeof reading !== 'string') count(reading.found)
      return reading
    },
  }
  return { parser, most, heldBytes }
}

/** The API on a socket over files and threads, with one message of 10 MiB. */
async function startApi({ stallMs = 60_000 } = {}) {
  const directory = temporaryDirectory()
  const sourceStore = openFileSourceStore(directory.path)
  const pool = openMimeParserPool({ sourcesDirectory: directory.path })
  const { parser, most, heldBytes } = counted(pool)
  const limits = {
    spoolBytesMax: SPOOL_BYTES_MAX,
    spoolBytesMaxElsewhere: 0,
    largeBytes: MIB,
    stallMs,
  }
  const sourceReader = threadedSourceReader(parser, limits)
  const h = await harness({ ports: { sourceStore, sourceReader } })
  const message = await h.make.message(await h.make.inbox((await h.make.account()).id), {
    source: SOURCE,
  })
  const responses: ServerResponse[] = []
  const listener = await listen({ host: '127.0.0.1', port: 0 }, (request, env) => {
    responses.push((env as { outgoing: ServerResponse }).outgoing)
    return h.api.fetch(request)
  })
  onTestFinished(async () => {
    await listener.close(100)
    await pool.close()
    await h.close()
    directory[Symbol.dispose]()
  })

  const ask = (path: string, method = 'GET'): ClientRequest =>
    get(`http://127.0.0.1:${listener.port}/api/v1/messages/${message.id}/${path}`, {
      agent: false,
      method,
      headers: { Authorization: `Bearer ${h.secret}` },
    })
  /** A client that has the head of the answer and takes nothing of the body yet. */
  const begin = async (path: string): Promise<IncomingMessage> => {
    const [answer] = (await once(ask(path), 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    return answer
  }
  /** Bytes that wait in this process for sockets to take them. */
  const waitingBytes = () => responses.reduce((sum, { writableLength }) => sum + writableLength, 0)
  return { ask, begin, most, heldBytes, waitingBytes }
}

const isWhole = async (answer: IncomingMessage, bytes: Uint8Array) =>
  Buffer.compare(await buffer(answer), bytes) === 0

test('many large downloads at once stay within their bounds, whatever their clients do', async () => {
  const { begin, most, heldBytes, waitingBytes } = await startApi()
  let mostWaiting = 0
  const sampling = setInterval(() => {
    mostWaiting = Math.max(mostWaiting, waitingBytes())
  }, 1)
  onTestFinished(() => clearInterval(sampling))

  const slow = await Promise.all([1, 2].map(() => begin('attachments/0')))
  const gone = await begin('attachments/0')
  gone.destroy()
  const fast = Array.from({ length: 9 }, async (_, at) =>
    at % 2
      ? isWhole(await begin('raw'), Buffer.from(SOURCE))
      : isWhole(await begin('attachments/0'), ATTACHMENT),
  )
  expect(await Promise.all(fast)).toEqual(Array.from({ length: 9 }, () => true))

  expect(slow.map(({ readableEnded }) => readableEnded)).toEqual([false, false])
  expect(await Promise.all(slow.map((answer) => isWhole(answer, ATTACHMENT)))).toEqual([true, true])
  await vi.waitFor(() => expect(heldBytes()).toBe(0))
  expect(most.parsedAtOnce).toBe(1)
  expect(most.spooledBytes).toBeLessThanOrEqual(SPOOL_BYTES_MAX)
  expect(mostWaiting).toBeLessThan(12 * 256 * 1024)
}, 60_000)

test.each([
  ['raw', SOURCE.length],
  ['attachments/0', ATTACHMENT.length],
])('who asks for the head of %s alone holds nothing', async (path, size) => {
  const { ask, most, heldBytes } = await startApi()
  const [answer] = (await once(ask(path, 'HEAD'), 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-length']).toBe(String(size))
  expect(await buffer(answer)).toHaveLength(0)
  expect(most.spooledBytes).toBeGreaterThan(0)
  expect(heldBytes()).toBe(0)
})

test('a client that goes away before its turn costs no reading', async () => {
  const { begin, ask, most } = await startApi()
  const first = begin('attachments/0')
  const gone = Array.from({ length: 8 }, () => ask('attachments/0'))
  await Promise.all(gone.map((request) => once(request, 'finish')))
  for (const request of gone) request.on('error', () => undefined).destroy()
  expect(await isWhole(await first, ATTACHMENT)).toBe(true)
  expect(await isWhole(await begin('attachments/0'), ATTACHMENT)).toBe(true)
  expect(most.parsings).toBeLessThan(5)
}, 60_000)

test('clients that stop reading are cut off, so that others come to their turn', async () => {
  const { begin, heldBytes } = await startApi({ stallMs: 300 })
  const stalled = await Promise.all([1, 2, 3, 4].map(() => begin('raw')))
  const next = await begin('attachments/0')
  expect(await isWhole(next, ATTACHMENT)).toBe(true)
  await vi.waitFor(() => expect(heldBytes()).toBe(0))
  const ends = stalled.map((answer) => isWhole(answer, Buffer.from(SOURCE)).catch(String))
  expect(await Promise.all(ends)).toEqual(stalled.map(() => 'Error: aborted'))
}, 60_000)
