import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './http-server.ts'

/** A request as it came in. */
export interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly atMs: number
}

interface Receiver {
  readonly url: string
  readonly received: readonly ReceivedRequest[]
  /** How many connections were opened to it. */
  readonly connections: () => number
}

/** A receiver on loopback until the test ends; it answers with a status, or as `answer` does. */
export async function webhookReceiver(
  answer: number | ((response: ServerResponse, request: ReceivedRequest) => unknown) = 200,
): Promise<Receiver> {
  const received: ReceivedRequest[] = []
  let connections = 0
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = request
    const body = await buffer(request)
    const seen = { method, path, headers, body, atMs: performance.now() }
    received.push(seen)
    if (typeof answer === 'number') response.writeHead(answer).end('noted')
    else answer(response, seen)
  }
  const server = createServer((request, response) => void take(request, response))
  server.on('connection', () => connections++)
  server.on('clientError', () => undefined)
  return { url: `http://${await listening(server)}/`, received, connections: () => connections }
}
