import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Reader } from '../../db/client.ts'
import type { ReadAnswer, ReaderThreadData, ReadRequest } from './reader-thread.ts'
import { threadBeside, ThreadPool } from './thread-pool.ts'

/** One that takes long does not keep the others waiting. */
const THREADS = 2
/** Nothing that anybody waits for takes so long. */
const TIMEOUT_MS = 30_000
/** To start one takes as long as many searches, and who has searched will search again. */
const IDLE_MS = 60 * 60_000

/** Reads of a database file on threads that can be ended. */
export interface ThreadedReader {
  readonly read: Reader
  close(): Promise<void>
}

/** Reads a database file on threads with connections of their own: the driver is synchronous. */
export function openThreadedReader(data: ReaderThreadData): ThreadedReader {
  const pool = new ThreadPool<ReadRequest, ReadAnswer>({
    size: THREADS,
    timeoutMs: TIMEOUT_MS,
    idleMs: IDLE_MS,
    threadUrl: threadBeside(import.meta.url, 'reader-thread'),
    workerData: data,
  })
  return {
    read: drizzle(
      async (sql, values, method) => {
        const outcome = await pool.run({ sql, values })
        if (outcome === 'failed') throw new Error('The query took too long, or its thread ended.')
        const answer = outcome.result
        if ('failure' in answer) throw new Error(answer.failure)
        // Of no row the library hears by its absence, which its type leaves out.
        return { rows: method === 'get' ? (answer.rows[0] as unknown[]) : answer.rows }
      },
      // The library reads the casing from its third argument only.
      undefined,
      { casing: 'snake_case' },
    ),
    close: () => pool.close(),
  }
}
