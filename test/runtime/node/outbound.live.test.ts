import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../../cli/commands/local/demo/certificate.ts'
import { systemLookup } from '../../../runtime/node/guarded-lookup.ts'
import { nodeOutbound } from '../../../runtime/node/outbound.ts'
import type { OutboundRequest } from '../../../runtime/ports/outbound.ts'
import { startDnsServer, type DnsZone } from '../../lab/dns-server.ts'
import { listening, serve, serveBytes } from '../../lab/http-server.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const LIMITS = { deadlineMs: 3_000, replyBytesMax: 2_048, redirectsMax: 2 }

const outbound = nodeOutbound({ networks: 'private', lookup: systemLookup })

const get = (url: string, limits: Partial<OutboundRequest['limits']> = {}) =>
  outbound.send({ method: 'GET', url, limits: { ...LIMITS, ...limits } })

async function nameServer(zone: DnsZone) {
  const dns = await startDnsServer(zone)
  onTestFinished(dns.stop)
  return dns
}

describe('a reply', () => {
  test('comes with status, headers and body; the request arrives as it was given', async () => {
    const seen: unknown[] = []
    const url = await serve(async (request, response) => {
      const { method, headers } = request
      const body = await buffer(request)
      seen.push([method, request.url, headers['x-a'], body.toString('hex')])
      response.writeHead(201, { 'X-Reply': 'yes' }).end('made')
    })
    const reply = await outbound.send({
      method: 'POST',
      url: `${url}/hook?a=1`,
      headers: { 'X-A': 'b' },
      body: Uint8Array.of(0, 255, 13, 10),
      limits: LIMITS,
    })
    expect(reply).toMatchObject({ status: 201, truncated: false, headers: { 'x-reply': 'yes' } })
    expect(reply.status !== null && new TextDecoder().decode(reply.body)).toBe('made')
    expect(seen).toEqual([['POST', '/hook?a=1', 'b', '00ff0d0a']])
  })

  test('is cut at the limit, and the rest is not waited for', async () => {
    const url = await serve((_request, response) => {
      response.write('x'.repeat(100_000))
    })
    const reply = await get(url)
    expect(reply).toMatchObject({ status: 200, truncated: true })
    expect(reply.status !== null && reply.body.length).toBe(2_048)
  })

  test('that drips for ever ends at the deadline', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const startedAtMs = performance.now()
    expect(await get(url, { deadlineMs: 300 })).toMatchObject({ status: null, failure: 'timeout' })
    expect(performance.now() - startedAtMs).toBeLessThan(1_500)
  })

  test.each([
    ['headers without an end', 'HTTP/1.1 200 OK\r\n' + 'X-A: b\r\n'.repeat(10_000)],
    ['one endless header', `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(100_000)}`],
    ['broken chunking', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nboo'],
    ['something else', 'SSH-2.0-OpenSSH\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ])('with %s is a transport failure', async (_what, bytes) => {
    const reply = await get(await serveBytes(bytes))
    expect(reply).toMatchObject({ status: null, failure: 'transport' })
  })

  test.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello'],
  ])('that breaks off within %s is a transport failure', async (_what, bytes) => {
    const url = await serveBytes(bytes, (socket) => setTimeout(() => socket.destroy(), 50))
    expect(await get(url)).toMatchObject({ status: null, failure: 'transport' })
  })

  test('that never comes, as from a closed port, is a failure with a reason', async () => {
    const server = createTcpServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const reply = await get(`http://127.0.0.1:${port}/`)
    expect(reply).toMatchObject({ failure: 'transport' })
    expect(reply.status === null && reply.reason).toContain('ECONNREFUSED')
  })

  test('is not waited for once the caller calls off', async () => {
    const url = await serve(() => undefined)
    const limits = { ...LIMITS, deadlineMs: 60_000 }
    const sending = outbound.send({ method: 'GET', url, limits }, AbortSignal.timeout(50))
    expect(await sending).toEqual({ status: null, failure: 'timeout', reason: 'called off' })
  })
})

describe('a redirect', () => {
  const redirecting = (status: number, location: () => string) =>
    serve((request, response) => {
      if (request.url === '/end')
        void request.toArray().then((all) => response.end(Buffer.concat(all)))
      else response.writeHead(status, { location: location() }).end('moved')
    })

  test.each([301, 302, 307, 308])('by %i repeats the request with its body', async (status) => {
    const url = await redirecting(status, () => '/end')
    const body = new TextEncoder().encode('the body')
    const reply = await outbound.send({ method: 'POST', url, body, limits: LIMITS })
    expect(reply.status !== null && new TextDecoder().decode(reply.body)).toBe('the body')
  })

  test('by 303 is a failure of a POST', async () => {
    const url = await redirecting(303, () => '/end?token=secret')
    const reply = await outbound.send({ method: 'POST', url, limits: LIMITS })
    expect(reply).toMatchObject({ failure: 'redirect' })
    expect(reply.status === null && reply.reason).toContain('/end')
    expect(JSON.stringify(reply)).not.toContain('secret')
  })

  test('too many are a failure that names the target', async () => {
    let requests = 0
    const url = await redirecting(302, () => `/again-${++requests}`)
    const reply = await get(url)
    expect(reply).toMatchObject({ failure: 'redirect' })
    expect(reply.status === null && reply.reason).toContain('/again-3')
    expect(requests).toBe(3)
  })

  test.each([
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://u:p@127.0.0.1/',
    'file:///etc/passwd',
  ])('to %s is refused', async (target) => {
    expect(await get(await redirecting(302, () => target))).toMatchObject({ failure: 'refused' })
  })

  test('to a name with a refused address is refused', async () => {
    const dns = await nameServer({
      a: { 'in.test': [['127.0.0.1']], 'meta.test': [['169.254.169.254']] },
    })
    const guarded = nodeOutbound({ networks: 'private', lookup: dns.lookup })
    const { port } = new URL(await redirecting(302, () => 'http://meta.test/'))
    const reply = await guarded.send({
      method: 'GET',
      url: `http://in.test:${port}/`,
      limits: LIMITS,
    })
    expect(reply).toMatchObject({ failure: 'refused' })
  })
})

test('a certificate of an unknown authority is a failure', async () => {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const { certFile, keyFile } = await makeCertificate(directory.path)
  const server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  server.on('tlsClientError', () => undefined)
  const reply = await get(`https://${await listening(server)}/`)
  expect(reply).toMatchObject({ failure: 'transport' })
  expect(reply.status === null && reply.reason).toMatch(/certificate/)
})

test('a dead kept connection is replaced without anybody noticing', async () => {
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    sockets.push(request.socket)
    response.end('ok')
  })
  server.keepAliveTimeout = 60_000
  const url = `http://${await listening(server)}`
  expect(await get(url)).toMatchObject({ status: 200 })
  expect(await get(url)).toMatchObject({ status: 200 })
  expect(sockets[0]).toBe(sockets[1])
  sockets[1]?.resetAndDestroy()
  expect(await get(url)).toMatchObject({ status: 200 })
})

test('proxies named in the environment have no say', async () => {
  const url = await serve((_request, response) => response.end('direct'))
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  process.env['NODE_USE_ENV_PROXY'] = '1'
  onTestFinished(() => {
    delete process.env['HTTP_PROXY']
    delete process.env['NODE_USE_ENV_PROXY']
  })
  const own = nodeOutbound({ networks: 'private', lookup: systemLookup })
  expect(await own.send({ method: 'GET', url, limits: LIMITS })).toMatchObject({ status: 200 })
})
