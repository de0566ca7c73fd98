import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, type HttpListener } from '../../../runtime/node/http-listener.ts'
import { refuseMalformed } from '../../../runtime/node/refuse-malformed.ts'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
let listener: HttpListener
beforeAll(async () => {
  h = await harness()
  listener = await listen({ host: '127.0.0.1', port: 0 }, (request, env) =>
    h.api.fetch(request, env),
  )
})
afterAll(async () => {
  await listener.close(1_000)
  await h.close()
})

/** Sends these bytes as they are, and reads until the other side closes. */
async function exchange(bytes: string, port = listener.port) {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes, 'latin1')
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  return { status, head, body }
}

const get = (target: string, ...lines: readonly string[]) =>
  [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')

const PATH = '/api/v1/messages'
const HOST = 'Host: mail.example.org'

describe('what no handler sees is refused with the envelope', () => {
  test.each<[string, string, RegExp]>([
    ['headers of over 16 KiB', get(PATH, HOST, `X-Long: ${'x'.repeat(20_000)}`), /too long/],
    ['an address of over 16 KiB', get(`${PATH}?from=${'x'.repeat(300_000)}`, HOST), /too long/],
    ['no Host', get(PATH), /Host/],
    ['an empty Host', get(PATH, 'Host:'), /Host/],
    ['a malformed Host', get(PATH, 'Host: a b/c'), /Host/],
    ['a method that nobody knows', get(PATH, HOST).replace('GET', 'FOO'), /method/],
    ['a byte beyond ASCII in the address', get(`${PATH}?from=\u00E9`, HOST), /percent-encoded/],
    [
      'a body with two lengths',
      `POST ${PATH} HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /Content-Length/,
    ],
    ['an expectation', get(PATH, HOST, 'Expect: foo'), /expectation/],
    ['CONNECT', 'CONNECT mail.example.org:25 HTTP/1.1\r\nHost: x\r\n\r\n', /method/],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /HTTP/],
    ['no HTTP at all', 'EHLO mail.example.org\r\n', /./],
  ])('%s', async (_what, bytes, message) => {
    const { status, head, body } = await exchange(bytes)
    expect(status).toBe(400)
    expect(head).toMatch(/^content-type: application\/json$/im)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body)).toEqual({
      error: { code: 'invalid_request', message: expect.stringMatching(message) },
    })
  })

  test('a known method that the address does not take is the router\u2019s to refuse', async () => {
    const bytes = get('/api/health', HOST, 'Connection: close').replace('GET', 'TRACE')
    const { status, head, body } = await exchange(bytes)
    expect(status).toBe(405)
    expect(head).toMatch(/^allow: GET, HEAD$/im)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request' } })
  })
})

test('headers that never end are refused as too slow', async () => {
  const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 })
  refuseMalformed(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { status, body } = await exchange(`GET ${PATH} HTTP/1.1\r\n`, port)
  expect(status).toBe(408)
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request' } })
  server.close()
})

test('a client that breaks off or never closes harms nobody and is cut off', async () => {
  for (const bytes of ['FOO / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
    const rude = connect(listener.port, '127.0.0.1')
    rude.write(bytes, () => rude.resetAndDestroy())
    const stubborn = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
    stubborn.on('error', () => undefined)
    stubborn.resume().write(bytes)
    const chatter = setInterval(() => stubborn.write('x'), 50)
    const closed = new Promise((resolve) => stubborn.once('close', resolve))
    await expect(Promise.race([closed, delay(5_000, 'still open')])).resolves.not.toBe('still open')
    clearInterval(chatter)
  }
  expect((await exchange(get('/api/health', HOST, 'Connection: close'))).status).toBe(200)
})

test('an answer that is half written is not followed by a refusal', async () => {
  const half = await listen({ host: '127.0.0.1', port: 0 }, () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue('half') })
    return new Response(body.pipeThrough(new TextEncoderStream()))
  })
  const socket = connect(half.port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    answer += data.toString()
    if (answer.includes('half')) socket.write('FOO / HTTP/1.1\r\n\r\n')
  })
  socket.write(get('/', HOST))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).not.toContain('invalid_request')
  await half.close(100)
})

test('a handler that fails where no router catches it is told as internal, without the cause', async () => {
  const faulty = await listen({ host: '127.0.0.1', port: 0 }, () => {
    throw new Error('the password is hunter2')
  })
  const answer = await fetch(`http://127.0.0.1:${faulty.port}/`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({
    error: { code: 'internal', message: expect.not.stringContaining('hunter2') },
  })
  await faulty.close(100)
})
