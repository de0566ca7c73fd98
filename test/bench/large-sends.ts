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
const MEMORY_BAR_BYTES = 250_000_000
const DELAY_BAR_MS = 20
const SETTLED_MS = 5_000
/** Long enough for what was sent to be filed, for a draft to be published, and for both to be found there. */
const FILED_MS = 12_000

/** A service, and what it says when it is asked to do this. */
interface LargeBench {
  readonly service: Server
  readonly api: HttpClient
  readonly recipient: string
}

/** Some requests with as much attached as may be, and how long each took. */
interface LargeWork {
  readonly what: string
  readonly run: (bench: LargeBench) => Promise<readonly number[]>
  /** Whether its memory is judged: it is that of a single message. */
  readonly isOne: boolean
}

/** How long large messages take, and what memory: each work of a service that has done nothing else. */
export async function measureLargeSends(
  start: (stack: AsyncDisposableStack, name: string) => Promise<LargeBench>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [index, { what, run, isOne }] of largeWorks().entries()) {
    await using stack = new AsyncDisposableStack()
    const bench = await start(stack, `large-${index}`)
    await delay(SETTLED_MS)
    const tookMs = await run(bench)
    await delay(FILED_MS)
    const peaks = await memoryOfBoth(bench.service, 'peakBytes')
    rows.push({
      work: `${what}: answered in; peak memory of handlers, sidecar`,
      figure: `${tookMs.map(seconds).join(', ')}; ${showBoth(peaks, mebibytes)}`,
      ...(isOne
        ? {
            bar: `each ${mebibytes(MEMORY_BAR_BYTES)}`,
            met: Math.max(peaks.handlers, peaks.sidecar) <= MEMORY_BAR_BYTES,
          }
        : { bar: 'reported' }),
    })
  }
  return rows
}

/** How long they keep others from being answered; the service was started `watched`. */
export async function measureLargeDelays(
  bench: LargeBench,
  directory: string,
): Promise<readonly Row[]> {
  const idler = await startBareServer(directory, watched(directory))
  const longestDelays = () =>
    Promise.all(
      [bench.service.pid, idler.pid].map(
        async (pid) => (await watchOf(pid, directory)).delayMs.max,
      ),
    )
  const rows: Row[] = []
  try {
    for (const { what, run } of largeWorks()) {
      await delay(SETTLED_MS)
      await longestDelays()
      await run(bench)
      await delay(SETTLED_MS)
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

function largeWorks(): readonly LargeWork[] {
  const data = randomBytes(ATTACHMENT_BYTES).toString('base64')
  const attachments = [{ filename: 'large.bin', content_type: 'application/octet-stream', data }]
  const send = ({ api, recipient }: LargeBench) =>
    timed(() =>
      api.send('POST', '/api/v1/messages/send', {
        to: [recipient],
        subject: 'A large one',
        body: 'Enclosed.\n',
        attachments,
      }),
    )
  const draft = ({ api }: LargeBench) =>
    timed(() => api.send('POST', '/api/v1/drafts', { subject: 'A large draft', attachments }))
  return [
    {
      what: `${mebibytes(ATTACHMENT_BYTES)} attached, sent and filed`,
      isOne: true,
      run: async (bench) => [await send(bench)],
    },
    {
      what: 'as much attached to a draft, which is published',
      isOne: true,
      run: async (bench) => [await draft(bench)],
    },
    {
      what: `the same sent ${IN_A_ROW} times in a row`,
      isOne: false,
      run: async (bench) => {
        const tookMs: number[] = []
        for (let n = 0; n < IN_A_ROW; n += 1) tookMs.push(await send(bench))
        return tookMs
      },
    },
    {
      what: `the same sent ${AT_ONCE} times at once`,
      isOne: false,
      run: (bench) => Promise.all(Array.from({ length: AT_ONCE }, () => send(bench))),
    },
  ]
}
