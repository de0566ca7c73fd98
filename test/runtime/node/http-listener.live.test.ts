import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { listen } from '../../../runtime/node/http-listener.ts'

const LOOPBACK = { host: '127.0.0.1', port: 0 }

test('closing lets a running request end and takes no new one', async () => {
  const listener = await listen(LOOPBACK, async () => {
    await delay(200)
    return new Response('done')
  })
  const url = `http://127.0.0.1:${listener.port}`
  const running = fetch(url).then((response) => response.text())
  await delay(50)
  const closed = listener.close(5_000)
  await expect(fetch(url)).rejects.toThrow()
  expect(await running).toBe('done')
  const answeredAtMs = performance.now()
  await closed
  expect(performance.now() - answeredAtMs).toBeLessThan(2_000)
})

test('a connection is kept for longer than a proxy keeps it, which is a minute', async () => {
  const listener = await listen(LOOPBACK, () => new Response())
  const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [string]
  expect(Number(/^Keep-Alive: timeout=(\d+)/im.exec(answer)?.[1])).toBeGreaterThan(60)
  await listener.close(0)
})

test('a request that does not end is cut off after the grace time', async () => {
  const listener = await listen(LOOPBACK, () => new Promise<Response>(() => {}))
  const socket = connect(listener.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'connect')
  await delay(50)
  const startedAtMs = performance.now()
  await listener.close(200)
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})

test('an address that is not ours is told in one sentence', async () => {
  await expect(listen({ host: '192.0.2.1', port: 0 }, () => new Response())).rejects.toThrow(
    /^Cannot listen on 192\.0\.2\.1 port 0: .*EADDRNOTAVAIL.*\.$/,
  )
})
