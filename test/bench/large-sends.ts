import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { startBareServer } from './bare-server.ts'
import { memoryOfBoth, showBoth } from './both-processes.ts'
import { timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { watched, watchOf } from './process-watch.ts'
import type { Server } from './service.ts'
import { MEBIBYTE, mebibytes, ms, seconds } from './table.ts'
import type { Row } from './table.ts'

const ATTACHMENT_BYTES = 25 * MEBIBYTE
const IN_A_ROW = 5
const AT_ONCE = 3
const MEMORY_BAR_BYTES = 250 * MEBIBYTE
const DELAY_BAR_MS = 20
/** Long enough for what was sent to be filed, too. */
const SETTLED_MS = 5_000

/** A service, and what it says when it is asked to do this. */
interface LargeBench {
  readonly service: Server
  readonly api: HttpClient
  readonly recipient: string
}

/** Some requests with as much attached as may be, and how long each took. */
interface LargeWork {
  readonly what: string
  readonly run: (api: HttpClient) => Promise<readonly number[]>
}

/** How long large messages take, and what memory. */
export async function measureLargeSends(bench: LargeBench): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { what, run } of largeWorks(bench.recipient)) {
    await delay(SETTLED_MS)
    const tookMs = await run(bench.api)
    await delay(SETTLED_MS)
    const peaks = await memoryOfBoth(bench.service, 'peakBytes')
    rows.push({
      work: `${what}: answered in; peak memory of handlers, sidecar until then`,
      figure: `${tookMs.map(seconds).join(', ')}; ${showBoth(peaks, mebibytes)}`,
      bar: `each ${mebibytes(MEMORY_BAR_BYTES)}`,
      met: Math.max(peaks.handlers, peaks.sidecar) <= MEMORY_BAR_BYTES,
    })
  }
  return rows
}

/** How long they keep others from being answered; the service was started `watched`. */
export async function measureLargeDelays(
  { service, api, recipient }: LargeBench,
  directory: string,
): Promise<readonly Row[]> {
  const idler = await startBareServer(directory, watched(directory))
  const longestDelays = () =>
    Promise.all(
      [service.pid, idler.pid].map(async (pid) => (await watchOf(pid, directory)).delayMs.max),
    )
  const rows: Row[] = []
  try {
    for (const { what, run } of largeWorks(recipient)) {
      await delay(SETTLED_MS)
      await longestDelays()
      await run(api)
      const [handlersMs = 0, idlerMs = 0] = await longestDelays()
      rows.push({
        work: `longest event loop delay of the handlers meanwhile, ${what}`,
        figure: ms(handlersMs),
        floor: `${ms(idlerMs)} (a process that does nothing)`,
        bar: ms(DELAY_BAR_MS),
        met: handlersMs <= DELAY_BAR_MS,
      })
    }
    return rows
  } finally {
    await idler.stop()
  }
}

function largeWorks(recipient: string): readonly LargeWork[] {
  const data = randomBytes(ATTACHMENT_BYTES).toString('base64')
  const attachments = [{ filename: 'large.bin', content_type: 'application/octet-stream', data }]
  const send = (api: HttpClient) =>
    timed(() =>
      api.send('POST', '/api/v1/messages/send', {
        to: [recipient],
        subject: 'A large one',
        body: 'Enclosed.\n',
        attachments,
      }),
    )
  const inARow = async (api: HttpClient, count: number) => {
    const tookMs: number[] = []
    for (let n = 0; n < count; n += 1) tookMs.push(await send(api))
    return tookMs
  }
  const draft = { subject: 'A large draft', attachments }
  return [
    {
      what: `${mebibytes(ATTACHMENT_BYTES)} attached, sent and filed`,
      run: (api) => inARow(api, 1),
    },
    { what: `the same ${IN_A_ROW} times in a row`, run: (api) => inARow(api, IN_A_ROW) },
    {
      what: `the same ${AT_ONCE} times at once`,
      run: (api) => Promise.all(Array.from({ length: AT_ONCE }, () => send(api))),
    },
    {
      what: 'as much attached to a draft, which is published',
      run: async (api) => [await timed(() => api.send('POST', '/api/v1/drafts', draft))],
    },
  ]
}
