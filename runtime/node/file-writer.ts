import { open } from 'node:fs/promises'
import { createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import type { Tx } from '../../db/client.ts'
import { StorageError } from '../ports/storage-error.ts'
import { withoutParameters } from './query-parameters.ts'
import { storageFailure } from './storage-failure.ts'
import { writerPauses } from './writer-pauses.ts'
import { writerTurns } from './writer-turns.ts'

type Durability = 'FULL' | 'NORMAL'

/** The one connection of this process that writes. Every method throws `StorageError` where the disk is to blame. */
export interface FileWriter {
  /** Runs `work` in a transaction. Not before the last one has ended: the caller queues them. */
  transaction<T>(durability: Durability, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Brings what was written to the disk, as far as that can be done while others are answered. */
  syncLog(): Promise<void>
  /** Writes without changing anything. */
  touch(): Promise<void>
  /** How long to leave the writer alone after a transaction that took `tookMs`. */
  readonly pauseAfter: (tookMs: number) => Promise<number>
  close(): void
}

export interface FileWriterOptions {
  /** How long a statement waits for another process that writes to the same file. */
  readonly busyTimeoutMs: number
  /** The length of the write-ahead log from which on this process brings it into the database file. */
  readonly checkpointPages: number
}

export function openFileWriter(
  url: string,
  { busyTimeoutMs, checkpointPages }: FileWriterOptions,
): FileWriter {
  const client = createClient({ url, timeout: busyTimeoutMs, concurrency: 1 })
  const database = drizzle(client, { casing: 'snake_case' })
  const turns = writerTurns(url)

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const failure = storageFailure(withoutParameters(error))
      // A connection that was opened while the disk was read-only stays read-only for good.
      if (failure instanceof StorageError) client.reconnect()
      throw failure
    }
  }

  return {
    transaction: (durability, work) =>
      guarded(async () => {
        await turns.free(busyTimeoutMs)
        // The connection may be a new one, so this is set every time.
        await client.executeMultiple(
          `PRAGMA synchronous = ${durability}; PRAGMA wal_autocheckpoint = ${checkpointPages}`,
        )
        return failingAsItsWork(work, (transactionWork) => database.transaction(transactionWork))
      }),
    async syncLog() {
      const { rows } = await client.execute(
        "SELECT file FROM pragma_database_list WHERE name = 'main'",
      )
      const file = rows[0]?.['file']
      if (typeof file !== 'string') return
      const log = await open(`${file}-wal`)
      try {
        await log.datasync()
      } finally {
        await log.close()
      }
    },
    touch: () =>
      guarded(async () => {
        // A number that nothing uses; SQLite writes it even where it is the same.
        await client.execute('PRAGMA user_version = 0')
      }),
    pauseAfter: writerPauses(client),
    close() {
      turns.close()
      client.close()
    },
  }
}

/**
 * Throws what failed in the work of a transaction. SQLite rolls back by itself where the disk is full, and all that
 * drizzle then reports is that it could not roll back.
 */
async function failingAsItsWork<T>(
  work: (tx: Tx) => Promise<T>,
  transaction: (work: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<T> {
  let failure: { readonly error: unknown } | undefined
  try {
    return await transaction((tx) =>
      work(tx).catch((error: unknown) => {
        failure = { error }
        throw error
      }),
    )
  } catch (error) {
    throw failure ? failure.error : error
  }
}
