import { expect, onTestFinished, test } from 'vitest'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { listen } from '../../../runtime/node/http-listener.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import type { WakeTopic } from '../../../runtime/ports/wake.ts'
import { SidecarError, sidecarClient } from '../../../runtime/sidecar/client.ts'
import { PROTOCOL_HEADER } from '../../../runtime/sidecar/protocol.ts'
import { followSidecars, relayedWake } from '../../../runtime/sidecar/relayed-wake.ts'
import { sidecarServer } from '../../../runtime/sidecar/server.ts'
import { relayedSourceStore } from '../../../runtime/sidecar/relayed-source-store.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { eventually } from '../../support/eventually.ts'
import { recordingLogger } from '../../support/recording-logger.ts'

const SECRET = 'the shared secret of this test'
const HASH = 'ab'.repeat(32)

/** A sidecar on a socket. */
async function startSidecar(port = 0) {
  const local = memoryWake()
  const source = new TextEncoder().encode('Subject: kept\r\n\r\n\u00e9')
  const server = sidecarServer({
    secret: SECRET,
    local,
    sources: { get: async (hash) => (hash === HASH ? source : undefined) },
  })
  const listener = await listen({ host: '127.0.0.1', port }, server.fetch)
  const stop = async () => {
    server.close()
    await listener.close(100)
  }
  onTestFinished(stop)
  const url = `http://127.0.0.1:${listener.port}`
  return { url, port: listener.port, wake: server.wake, source, stop }
}

/** A process with handlers: its wake, and what it was woken for. */
function startProcess(url: string, process: string) {
  const woken: WakeTopic[] = []
  const local = memoryWake()
  const recording = {
    ...local,
    now: (topic: WakeTopic) => {
      woken.push(topic)
      local.now(topic)
    },
  }
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const logger = recordingLogger()
  const sidecars = { urls: async () => [url], secret: SECRET }
  const { signal } = stopping
  const options = { clock: systemClock, logger, process, signal }
  const following = followSidecars(recording, sidecars, options)
  return {
    woken,
    logger,
    wake: relayedWake(local, sidecars, { logger, process }),
    async stop() {
      stopping.abort()
      await following
    },
  }
}

const client = (url: string, secret = SECRET) => sidecarClient({ url, secret, process: 'test' })

test('a wake reaches the loops of the sidecar', async () => {
  const sidecar = await startSidecar()
  const woken = sidecar.wake.wait('accounts', AbortSignal.timeout(5_000)).then(() => 'woken')
  await client(sidecar.url).wake('accounts')
  expect(await woken).toBe('woken')
})

test('a wake of one process reaches the others and not itself again', async () => {
  const sidecar = await startSidecar()
  const [a, b] = [startProcess(sidecar.url, 'a'), startProcess(sidecar.url, 'b')]
  await eventually(async () => {
    sidecar.wake.now('accounts')
    expect(a.woken).toContain('accounts')
    expect(b.woken).toContain('accounts')
  })
  a.wake.now('changes')
  await eventually(async () => expect(b.woken).toContain('changes'))
  expect(a.woken).not.toContain('changes')
  await Promise.all([a.stop(), b.stop()])
})

test('processes find back to a sidecar that went away, and look at the store meanwhile', async () => {
  const first = await startSidecar()
  const a = startProcess(first.url, 'a')
  await eventually(async () => {
    first.wake.now('accounts')
    expect(a.woken).toContain('accounts')
  })
  await first.stop()
  await eventually(async () => expect(a.woken).toContain('changes'))
  const second = await startSidecar(first.port)
  a.woken.length = 0
  await eventually(async () => {
    second.wake.now('accounts')
    expect(a.woken).toContain('accounts')
  })
  await a.stop()
})

test('a wake without a sidecar fails nothing and is over within a second', async () => {
  const { url, stop } = await startSidecar()
  await stop()
  const logger = recordingLogger()
  const sidecars = { urls: async () => [url], secret: SECRET }
  const wake = relayedWake(memoryWake(), sidecars, { logger, process: 'a' })
  const startedAtMs = performance.now()
  wake.now('accounts')
  await wake.sent()
  expect(performance.now() - startedAtMs).toBeLessThan(1_500)
})

test('sources come by hash, byte for byte', async () => {
  const { url, source } = await startSidecar()
  expect(await client(url).source(HASH)).toEqual(source)
  expect(await client(url).source('cd'.repeat(32))).toBeUndefined()
})

test('a source that this disk lacks comes from a sidecar, and none is needed for one that it has', async () => {
  const { url, source } = await startSidecar()
  const local = memorySourceStore()
  const logger = recordingLogger()
  const names = { logger, process: 'test' }
  const over = (urls: string[]) =>
    relayedSourceStore(local, { urls: async () => urls, secret: SECRET }, names)
  expect(await over(['http://127.0.0.1:1', url]).get(HASH)).toEqual(source)
  expect(logger.lines).toHaveLength(1)
  expect(await over([url]).get('cd'.repeat(32))).toBeUndefined()
  const own = await local.put(new TextEncoder().encode('here'))
  expect(await over([]).get(own)).toEqual(new TextEncoder().encode('here'))
})

test('another secret is refused everywhere, in words that say what to do', async () => {
  const { url } = await startSidecar()
  const stranger = client(url, 'another secret of this test')
  const attempts = [
    () => stranger.wake('accounts'),
    () => stranger.source(HASH),
    () => stranger.listen(() => undefined, AbortSignal.timeout(5_000)),
  ]
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toThrow(SidecarError)
    await expect(attempt()).rejects.toThrow('SVC_SIDECAR_SECRET')
  }
  expect((await fetch(`${url}/sources/${HASH}`)).status).toBe(401)
})

test('another version of the protocol is refused with both versions named', async () => {
  const { url } = await startSidecar()
  for (const headers of [{ [PROTOCOL_HEADER]: '99' }, {}]) {
    const response = await fetch(`${url}/wakes`, {
      headers: { Authorization: `Bearer ${SECRET}`, ...headers },
    })
    expect(response.status).toBe(409)
    expect(await response.text()).toMatch(/The sidecar speaks protocol 1, not (99|none)\./)
  }
})

test('what is no wake and no path is refused', async () => {
  const { url } = await startSidecar()
  const headers = { Authorization: `Bearer ${SECRET}`, [PROTOCOL_HEADER]: '1' }
  for (const body of ['', '{', '{"topic":"everything"}', '{"topic":"changes","more":1}'])
    expect((await fetch(`${url}/wakes`, { method: 'POST', headers, body })).status).toBe(400)
  for (const path of ['/', '/sources/..%2f..%2fsecret.key'])
    expect((await fetch(url + path, { headers })).status).toBe(404)
})
