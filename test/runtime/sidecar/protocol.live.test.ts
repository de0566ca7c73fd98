import { expect, onTestFinished, test } from 'vitest'
import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { listen } from '../../../runtime/node/http-listener.ts'
import { systemClock } from '../../../runtime/node/clock.ts'
import type { SourceIntake } from '../../../runtime/ports/source-intake.ts'
import type { SourceStore } from '../../../runtime/ports/source-store.ts'
import { StorageError } from '../../../runtime/ports/storage-error.ts'
import type { WakeTopic } from '../../../runtime/ports/wake.ts'
import { SidecarError, sidecarClient } from '../../../runtime/sidecar/client.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../../runtime/sidecar/protocol.ts'
import { followSidecars, relayedWake } from '../../../runtime/sidecar/relayed-wake.ts'
import { sidecarServer } from '../../../runtime/sidecar/server.ts'
import { relayedSourceReader } from '../../../runtime/sidecar/relayed-source-reader.ts'
import { inlineSourceReader } from '../../support/inline-source-reader.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { eventually } from '../../support/eventually.ts'
import { recordingLogger } from '../../support/recording-logger.ts'
import { bytesOf, foundIn } from '../suites/source-reader.ts'

const SECRET = 'the shared secret of this test'
const HASH = 'ab'.repeat(32)

/** A sidecar on a socket. */
async function startSidecar({
  port = 0,
  sources,
}: { port?: number; sources?: Pick<SourceStore, 'get'> } = {}) {
  const local = memoryWake()
  const source = new TextEncoder().encode('Subject: kept\r\n\r\n\u00e9')
  const asked: string[] = []
  const server = sidecarServer({
    secret: SECRET,
    local,
    sources: {
      get: async (hash) => {
        asked.push(hash)
        return sources ? sources.get(hash) : hash === HASH ? source : undefined
      },
    },
  })
  const listener = await listen({ host: '127.0.0.1', port }, server.fetch)
  const stop = async () => {
    server.close()
    await listener.close(100)
  }
  onTestFinished(stop)
  const url = `http://127.0.0.1:${listener.port}`
  return { url, port: listener.port, wake: server.wake, source, asked, stop }
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
  await client(sidecar.url).wake(['accounts'])
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
  const second = await startSidecar({ port: first.port })
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
  expect(await client(url).hasSource(HASH)).toBe(true)
  expect(await client(url).hasSource('cd'.repeat(32))).toBe(false)
})

/** The sources of a disk that may be the sidecar's own, and what was brought there. */
function localSources(store: SourceStore) {
  const taken: string[] = []
  const take: SourceIntake['take'] = (sources) =>
    Promise.all(
      sources.map(async (given) => {
        const source = given instanceof Uint8Array ? given : await given.read()
        const sourceHash = await store.put(source)
        taken.push(sourceHash)
        return { sourceHash, sourceKept: true, digest: await digestMessage(source) }
      }),
    )
  return { reader: inlineSourceReader(store), intake: { take }, taken }
}

function readerOver(local: ReturnType<typeof localSources>, urls: readonly string[]) {
  const logger = recordingLogger()
  const sidecars = { urls: async () => urls, secret: SECRET }
  return { logger, reader: relayedSourceReader(local, sidecars, { logger, process: 'test' }) }
}

test('a source that this disk lacks comes from a sidecar, and none is needed for one that it has', async () => {
  const kept = memorySourceStore()
  const hash = await kept.put(new TextEncoder().encode('Subject: kept\r\n\r\n\u00e9'))
  const { url, asked } = await startSidecar({ sources: kept })
  const local = localSources(memorySourceStore())
  const { reader, logger } = readerOver(local, ['http://127.0.0.1:1', url])
  const readings = await Promise.all(
    Array.from({ length: 5 }, () => reader.bodies({ sourceHash: hash, size: 1 })),
  )
  for (const reading of readings) expect(reading).toMatchObject({ found: { text: '\u00e9' } })
  // Asked whether it has it, then for the bytes, each once for all five.
  expect(asked).toEqual([hash, hash])
  expect(local.taken).toEqual([hash])
  expect(logger.lines).toHaveLength(2)
  expect(await reader.whole({ sourceHash: 'cd'.repeat(32), size: 1 })).toBe('missing')
  const alone = readerOver(local, []).reader
  expect(await alone.whole({ sourceHash: hash, size: 1 })).toHaveProperty('found')
})

test('a source that the sidecar fetches onto the same disk is not brought a second time', async () => {
  const disk = memorySourceStore()
  const bytes = new TextEncoder().encode('Subject: fetched\r\n\r\ntext')
  const hash = await memorySourceStore().put(bytes)
  const fetching = {
    get: async () => {
      await disk.put(bytes)
      return bytes
    },
  }
  const { url, asked } = await startSidecar({ sources: fetching })
  const local = localSources(disk)
  const { reader } = readerOver(local, [url])
  expect(await reader.attachment({ sourceHash: hash, size: 1, attachments: [] }, 7)).toEqual({
    found: undefined,
  })
  expect(asked).toEqual([hash])
  expect(local.taken).toEqual([])
})

test('a source that the disk here refuses to keep is read all the same', async () => {
  const kept = memorySourceStore()
  const bytes = new TextEncoder().encode('Subject: fetched\r\n\r\ntext')
  const asked = { sourceHash: await kept.put(bytes), size: bytes.byteLength, attachments: [] }
  const { url } = await startSidecar({ sources: kept })
  const disk = memorySourceStore()
  const refusing = {
    ...localSources(disk),
    intake: { take: () => Promise.reject(new StorageError('The disk is full.')) },
  }
  const { reader } = readerOver(refusing, [url])
  const [bodies, whole, attachment] = await Promise.all([
    reader.bodies(asked),
    foundIn(reader.whole(asked)),
    reader.attachment(asked, 7),
  ])
  expect(bodies).toMatchObject({ found: { text: 'text' } })
  expect(await bytesOf(whole.stream)).toEqual(bytes)
  expect(attachment).toEqual({ found: undefined })
  expect(await disk.get(asked.sourceHash)).toBeUndefined()
})

test('another secret is refused everywhere, in words that say what to do', async () => {
  const { url } = await startSidecar()
  const stranger = client(url, 'another secret of this test')
  const attempts = [
    () => stranger.wake(['accounts']),
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
    expect(await response.text()).toMatch(
      new RegExp(`The sidecar speaks protocol ${PROTOCOL_VERSION}, not (99|none)\\.`),
    )
  }
})

test('what is no wake and no path is refused', async () => {
  const { url } = await startSidecar()
  const headers = { Authorization: `Bearer ${SECRET}`, [PROTOCOL_HEADER]: PROTOCOL_VERSION }
  for (const query of ['', '?topics=', '?topics=everything', '?topics=changes,', '?topic=changes'])
    expect((await fetch(`${url}/wakes${query}`, { method: 'POST', headers })).status).toBe(400)
  for (const path of ['/', '/sources/..%2f..%2fsecret.key'])
    expect((await fetch(url + path, { headers })).status).toBe(404)
})
