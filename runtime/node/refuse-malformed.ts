import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a refused client may take to read the answer before it is cut off. */
const LINGER_MS = 1_000

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
} as const

const WORDS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and the headers together are too long.',
  HPE_INVALID_METHOD: 'This method is not known here.',
  HPE_INVALID_URL: 'The address holds characters that must be percent-encoded.',
  HPE_INVALID_TRANSFER_ENCODING:
    'The length of the body is told wrongly: by Content-Length or by Transfer-Encoding, not by both.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/** Answers with the API's error envelope what Node would refuse before any handler sees it. */
export function refuseMalformed(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, response),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket)
    // An answer that is half written must not be followed by another in its midst.
    if (response?.headersSent && !response.writableFinished) socket.destroy()
    else refuse(socket, error.code ?? '')
  })
  server.on('checkExpectation', (_request, response) => {
    const body = invalid('Only the expectation 100-continue is met here.')
    response.writeHead(400, headersOf(body)).end(body)
  })
  server.on('connect', (_request, socket) => refuse(socket, 'HPE_INVALID_METHOD'))
}

/** The same for a request that Node took but that is no Request: one without a proper Host, say. */
export const malformedRequest = () =>
  new Response(invalid('The Host header or the address of the request is missing or malformed.'), {
    status: 400,
    headers: HEADERS,
  })

function refuse(socket: Duplex, code: string): void {
  if (!socket.writable) return
  socket.on('error', () => socket.destroy())
  const body = invalid(WORDS[code] ?? 'This is no proper HTTP request.')
  // A browser tries again what was refused with 408, as when a connection opened ahead was never used.
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  const lines = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  // Closing at once, with input unread, would reset the connection and could lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const headersOf = (body: string) => ({ ...HEADERS, 'Content-Length': Buffer.byteLength(body) })

const invalid = (message: string) => JSON.stringify({ error: { code: 'invalid_request', message } })
