import { onTestFinished } from 'vitest'
import { memoryWake } from '../../runtime/memory/wake.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import { listen } from '../../runtime/node/http-listener.ts'
import { harness } from './harness.ts'
import { tellEvents } from './told-events.ts'

/** The API on a port of its own, with a token, and what tells events as a sync would. */
export async function listenedApi({ scopes = 'webhooks:manage' } = {}) {
  const stopping = new AbortController()
  const wake = memoryWake()
  const h = await harness({
    scopes: [scopes],
    ports: { clock: systemClock, stopping: stopping.signal, wake },
  })
  const listener = await listen({ host: '127.0.0.1', port: 0 }, (request) => h.api.fetch(request))
  const url = `http://127.0.0.1:${listener.port}`
  onTestFinished(async () => {
    stopping.abort()
    await listener.close(100)
    await h.close()
  })
  return {
    h,
    store: h.runtime.store,
    url,
    /** What the command line needs to speak to it. */
    client: { SVC_URL: url, SVC_TOKEN: h.secret },
    tell: (count: number, options?: Parameters<typeof tellEvents>[2]) =>
      tellEvents(h.runtime, count, options),
    /** Ends all streams, as a process does that shall end. */
    stop: () => stopping.abort(),
    listener,
  }
}
