import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { StorageError } from '../ports/storage-error.ts'
import type { Tx } from '../../db/client.ts'
import type { Store } from '../ports/store.ts'
import { openFileWriter } from './file-writer.ts'

const BUSY_TIMEOUT_MS = 5_000
const READER_CONNECTIONS = 4
/** SQLite's own measure: 4 MiB of write-ahead log. */
const CHECKPOINT_PAGES = 1_000
/** 250 MiB: many large messages may come at once. */
const CHECKPOINT_PAGES_LEFT = 64 * CHECKPOINT_PAGES
/** So many transactions may have left more behind than is brought to the disk within a few milliseconds. */
const UNSYNCED_MAX = 4

export interface FileStoreOptions {
  /**
   * Leaves bringing the write-ahead log into the database file to another process, as far as that does it: it takes the
   * disk tens of milliseconds, in which this process could answer nobody.
   */
  readonly leavesCheckpoints?: boolean
}

/**
 * A libSQL file in WAL mode. Reads run on connections of their own. Writes of this process queue behind each
 * other on a single connection: the driver is synchronous, so two of them would wait for each other with the
 * event loop stopped, and no busy timeout could help. Transactions, which are many where there are some, leave
 * pauses to the writers of other processes.
 */
export function openFileStore(url: string, { leavesCheckpoints }: FileStoreOptions = {}): Store {
  const readClient = createClient({
    url,
    timeout: BUSY_TIMEOUT_MS,
    concurrency: READER_CONNECTIONS,
  })
  const writer = openFileWriter(url, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    checkpointPages: leavesCheckpoints ? CHECKPOINT_PAGES_LEFT : CHECKPOINT_PAGES,
  })
  let lastWrite: Promise<unknown> = Promise.resolve()
  /** Transactions since the last durable one. */
  let unsynced = 0

  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastWrite.then(work)
    lastWrite = turn.catch(() => undefined)
    return turn
  }

  const durably = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    queued(async () => {
      // What cannot be synced now is synced, or fails, with the transaction.
      if (unsynced >= UNSYNCED_MAX) await writer.syncLog().catch(() => undefined)
      unsynced = 0
      return writer.transaction('FULL', work)
    })

  return {
    read: drizzle(readClient, { casing: 'snake_case' }),
    commit: (build) =>
      durably(async (tx) => {
        const results: unknown[] = []
        for (const statement of build(tx)) results.push(await statement)
        return results as {
          -readonly [I in keyof ReturnType<typeof build>]: Awaited<ReturnType<typeof build>[I]>
        }
      }),
    transaction: (work) =>
      queued(async () => {
        unsynced += 1
        const startedMs = performance.now()
        const result = await writer.transaction('NORMAL', work)
        const pauseMs = await writer.pauseAfter(performance.now() - startedMs)
        void queued(() => delay(pauseMs))
        return result
      }),
    durableTransaction: durably,
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
