import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { StorageError } from '../ports/storage-error.ts'
import type { Store } from '../ports/store.ts'
import { openFileWriter } from './file-writer.ts'

/** How long a statement waits for another process that writes to the same file. */
const BUSY_TIMEOUT_MS = 5_000
const READER_CONNECTIONS = 4

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
  const writer = openFileWriter(url, BUSY_TIMEOUT_MS)
  let lastWrite: Promise<unknown> = Promise.resolve()

  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastWrite.then(work)
    lastWrite = turn.catch(() => undefined)
    return turn
  }

  return {
    read: drizzle(readClient, { casing: 'snake_case' }),
    commit: (build) =>
      queued(() =>
        writer.transaction('FULL', async (tx) => {
          const results: unknown[] = []
          for (const statement of build(tx)) results.push(await statement)
          return results as {
            -readonly [I in keyof ReturnType<typeof build>]: Awaited<ReturnType<typeof build>[I]>
          }
        }),
      ),
    transaction: (work) =>
      queued(async () => {
        const startedMs = performance.now()
        const result = await writer.transaction('NORMAL', work)
        const pauseMs = await writer.pauseAfter(performance.now() - startedMs)
        void queued(() => delay(pauseMs))
        return result
      }),
    durableTransaction: (work) => queued(() => writer.transaction('FULL', work)),
    async writeTrouble() {
      try {
        await queued(() => writer.touch())
        return undefined
      } catch (error) {
        if (error instanceof StorageError) return error.message
        throw error
      }
    },
    async close() {
      await lastWrite
      readClient.close()
      writer.close()
    },
  }
}
