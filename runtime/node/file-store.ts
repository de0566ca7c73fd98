import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import type { Tx } from '../../db/client.ts'
import type { Store } from '../ports/store.ts'
import { writerPauses } from './writer-pauses.ts'

/** How long a statement waits for another process that writes to the same file. */
const BUSY_TIMEOUT_MS = 5_000
const READER_CONNECTIONS = 4

type Durability = 'FULL' | 'NORMAL'

/**
 * A libSQL file in WAL mode. Reads run on connections of their own. Writes of this process queue behind each
 * other on a single connection: the driver is synchronous, so two of them would wait for each other with the
 * event loop stopped, and no busy timeout could help. Transactions, which are many where there are some, leave
 * pauses to the writers of other processes.
 */
export function openFileStore(url: string): Store {
  const readClient = createClient({
    url,
    timeout: BUSY_TIMEOUT_MS,
    concurrency: READER_CONNECTIONS,
  })
  const writeClient = createClient({ url, timeout: BUSY_TIMEOUT_MS, concurrency: 1 })
  const write = drizzle(writeClient, { casing: 'snake_case' })
  let lastWrite: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastWrite.then(work)
    lastWrite = turn.catch(() => undefined)
    return turn
  }

  const run = async <T>(durability: Durability, work: (tx: Tx) => Promise<T>): Promise<T> => {
    // The driver may have replaced the connection after an error, so this is set every time.
    await writeClient.execute(`PRAGMA synchronous = ${durability}`)
    return write.transaction(work)
  }
  const pauseAfter = writerPauses(writeClient)

  return {
    read: drizzle(readClient, { casing: 'snake_case' }),
    commit: (build) =>
      inTurn(() =>
        run('FULL', async (tx) => {
          const results: unknown[] = []
          for (const statement of build(tx)) results.push(await statement)
          return results as {
            -readonly [I in keyof ReturnType<typeof build>]: Awaited<ReturnType<typeof build>[I]>
          }
        }),
      ),
    transaction: (work) =>
      inTurn(async () => {
        const startedMs = performance.now()
        const result = await run('NORMAL', work)
        const pauseMs = await pauseAfter(performance.now() - startedMs)
        void inTurn(() => delay(pauseMs))
        return result
      }),
    async close() {
      await lastWrite
      readClient.close()
      writeClient.close()
    },
  }
}
