import { createClient } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import type { Store } from '../ports/store.ts'
import { openFileWriter } from './file-writer.ts'
import { queuedWrites } from './queued-writes.ts'
import { openThreadedReader } from './threaded-reader.ts'

const BUSY_TIMEOUT_MS = 5_000
const READER_CONNECTIONS = 4
/** SQLite's own measure: 4 MiB of write-ahead log. */
const CHECKPOINT_PAGES = 1_000
/** 250 MiB: many large messages may come at once. */
const CHECKPOINT_PAGES_LEFT = 64 * CHECKPOINT_PAGES

export interface FileStoreOptions {
  /**
   * Leaves bringing the write-ahead log into the database file to another process, as far as that does it: it takes the
   * disk tens of milliseconds, in which this process could answer nobody.
   */
  readonly leavesCheckpoints?: boolean
}

/**
 * A libSQL file in WAL mode. Reads run on connections of their own, long ones in threads; writes on a single one, one
 * after the other.
 */
export function openFileStore(url: string, { leavesCheckpoints }: FileStoreOptions = {}): Store {
  const readClient = createClient({
    url,
    timeout: BUSY_TIMEOUT_MS,
    concurrency: READER_CONNECTIONS,
  })
  const longReader = openThreadedReader({ url, busyTimeoutMs: BUSY_TIMEOUT_MS })
  const writer = openFileWriter(url, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    checkpointPages: leavesCheckpoints ? CHECKPOINT_PAGES_LEFT : CHECKPOINT_PAGES,
  })
  const { ended, ...writes } = queuedWrites(writer)
  return {
    read: drizzle(readClient, { casing: 'snake_case' }),
    longRead: longReader.read,
    ...writes,
    async close() {
      await ended()
      await longReader.close()
      readClient.close()
      writer.close()
    },
  }
}
