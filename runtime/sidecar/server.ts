import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { Hono } from 'hono'
import { timingSafeEqual } from 'hono/utils/buffer'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { SourceStore } from '../ports/source-store.ts'
import type { Wake, WakeTopic } from '../ports/wake.ts'
import {
  PROCESS_HEADER,
  PROTOCOL_HEADER,
  PROTOCOL_VERSION,
  STREAM_BEAT_MS,
  WokenTopics,
} from './protocol.ts'

/** The sidecar's half of the protocol. */
export interface SidecarServer {
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** The sidecar's own wake: it reaches its loops and every process that listens. */
  readonly wake: Wake
  /** Ends the streams, so that the listener can close. */
  close(): void
}

interface Listener {
  readonly process: string
  readonly send: (line: object) => void
  readonly forget: () => void
  readonly end: () => void
}

/** Serves the protocol to whoever knows `secret`; `local` wakes the loops of this process. */
export function sidecarServer(options: {
  readonly secret: string
  readonly local: Wake
  readonly sources: Pick<SourceStore, 'get'>
}): SidecarServer {
  const listeners = new Set<Listener>()

  const relay = (topic: WakeTopic, from?: string) => {
    // Others first: what this process then does of its own would keep the line from going out.
    for (const { process, send } of listeners) if (process !== from) send({ topic })
    options.local.now(topic)
  }

  const app = new Hono()
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 500
    return c.json(
      { error: { message: status === 500 ? 'Internal error.' : error.message } },
      status,
    )
  })
  app.notFound((c) => c.json({ error: { message: 'There is no such resource.' } }, 404))
  app.use(admitted(options.secret))

  app.post('/wakes', (c) => {
    const topics = WokenTopics.safeParse(c.req.query('topics'))
    if (!topics.success) throw new HTTPException(400, { message: 'This is not a wake.' })
    for (const topic of topics.data) relay(topic, c.req.header(PROCESS_HEADER))
    return c.json({})
  })
  app.get('/wakes', (c) => {
    const stream = wakeStream(listeners, c.req.header(PROCESS_HEADER) ?? '')
    return c.body(stream, 200, { 'Content-Type': 'application/x-ndjson' })
  })
  app.get('/sources/:hash{[0-9a-f]{64}}', async (c) =>
    sourceResponse(await options.sources.get(c.req.param('hash'))),
  )

  return {
    fetch: app.fetch,
    wake: {
      now: (topic) => relay(topic),
      wait: (topic, signal) => options.local.wait(topic, signal),
    },
    close() {
      for (const { end } of listeners) end()
    },
  }
}

/** Without the thread that the platform's own would be computed on: somebody waits for every wake. */
const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** The secret comes first: a stranger learns nothing, the version neither. */
const admitted = (secret: string) =>
  createMiddleware(async (c, next) => {
    const given = c.req.header('Authorization') ?? ''
    if (!(await timingSafeEqual(given, `Bearer ${secret}`, digestOf))) {
      throw new HTTPException(401, {
        message: 'The sidecar has another secret. Give both halves the same SVC_SIDECAR_SECRET.',
      })
    }
    const version = c.req.header(PROTOCOL_HEADER)
    if (version !== PROTOCOL_VERSION) {
      throw new HTTPException(409, {
        message: `The sidecar speaks protocol ${PROTOCOL_VERSION}, not ${version ?? 'none'}. Run the same version of both halves.`,
      })
    }
    await next()
  })

function wakeStream(listeners: Set<Listener>, process: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let listening: Listener | undefined
  return new ReadableStream({
    start(controller) {
      const send = (line: object) => {
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      const beat = setInterval(() => send({}), STREAM_BEAT_MS)
      const forget = () => {
        clearInterval(beat)
        listeners.delete(listener)
      }
      const end = () => {
        forget()
        controller.close()
      }
      const listener = { process, send, forget, end }
      listeners.add(listener)
      listening = listener
      // The first line tells the listener that no wake is lost from here on.
      send({})
    },
    cancel: () => listening?.forget(),
  })
}

function sourceResponse(source: Uint8Array | undefined): Response {
  if (!source) throw new HTTPException(404, { message: 'The source is not stored.' })
  return new Response(new Uint8Array(source), { headers: { 'Content-Type': 'message/rfc822' } })
}
