import { setTimeout as delay } from 'node:timers/promises'

import { startBareServer } from './bare-server.ts'
import type { BenchDatabase } from './bench-database.ts'
import { timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { watched, watchOf } from './process-watch.ts'
import type { Server } from './service.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const BATCH = 1_000
const ROUNDS = 3
const SETTLED_MS = 2_000
const ANSWERED_BAR_MS = 300
const DELAY_BAR_MS = 20
const BATCH_PATH = '/api/v1/messages/batch'

/** A service started `watched`, whose first account has `ids` in its inbox. */
interface BatchBench {
  readonly service: Server
  readonly directory: string
  readonly api: HttpClient
  readonly database: BenchDatabase
  readonly ids: readonly number[]
}

/** A batch, and how long event loops stood still meanwhile. */
interface Batch {
  readonly tookMs: number
  readonly delayMs: number
  /** Of a process that did nothing. */
  readonly idlerDelayMs: number
}

/** How soon changes of many messages at once are answered, and how long they keep others from being answered. */
export async function measureBatchSpeed(bench: BatchBench): Promise<readonly Row[]> {
  const { api, database, directory } = bench
  const ids = bench.ids.slice(0, BATCH)
  const inbox = await folderOf(api, ids)
  const idler = await startBareServer(directory, watched(directory))
  const watch = async () => {
    const pids = [bench.service.pid, idler.pid]
    const [handlers, idle] = await Promise.all(pids.map((pid) => watchOf(pid, directory)))
    return { delayMs: handlers?.delayMs.max ?? 0, idlerDelayMs: idle?.delayMs.max ?? 0 }
  }
  const batch = async (change: object): Promise<Batch> => {
    await database.untilPushed()
    await delay(SETTLED_MS)
    await watch()
    const tookMs = await timed(() => api.send('POST', BATCH_PATH, { ids, ...change }))
    return { tookMs, ...(await watch()) }
  }
  try {
    const stars: Batch[] = []
    const moves: Batch[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await batch({ starred: false })
      stars.push(await batch({ starred: true }))
      moves.push(await batch({ move_to: 'archive' }))
      await batch({ folder_id: inbox })
    }
    await database.untilPushed()
    return [...rowsOf('star', stars), ...rowsOf('archive', moves)]
  } finally {
    await idler.stop()
  }
}

/** The folder that the messages are in. */
async function folderOf(api: HttpClient, ids: readonly number[]): Promise<number> {
  const { folder_id: id } = await api.json<{ readonly folder_id: number }>(
    `/api/v1/messages/${ids[0]}`,
  )
  return id
}

function rowsOf(change: string, batches: readonly Batch[]): readonly Row[] {
  const each = (value: (batch: Batch) => number) => batches.map(value)
  const tookMs = each((batch) => batch.tookMs)
  const delayMs = each((batch) => batch.delayMs)
  const show = (values: readonly number[]) => values.map(ms).join(', ')
  return [
    {
      work: `POST /v1/messages/batch, ${BATCH} messages, ${change}, answered, each of ${ROUNDS}`,
      figure: show(tookMs),
      bar: `each ${ms(ANSWERED_BAR_MS)}`,
      met: Math.max(...tookMs) <= ANSWERED_BAR_MS,
    },
    {
      work: `longest event loop delay of the handlers meanwhile, ${change}, each of ${ROUNDS}`,
      figure: show(delayMs),
      floor: `${show(each((batch) => batch.idlerDelayMs))} (a process that does nothing)`,
      bar: `each ${ms(DELAY_BAR_MS)}`,
      met: Math.max(...delayMs) <= DELAY_BAR_MS,
    },
  ]
}
