import { createClient, LibsqlError } from '@libsql/client/sqlite3'
import { pathToFileURL } from 'node:url'
import { storageFailure } from './storage-failure.ts'

/** A lock that the system releases when its holder ends, however it ends. */
export interface FileLock {
  release(): Promise<void>
}

/**
 * Takes the lock that `file` stands for; undefined while another process has it. It is the write lock of an
 * empty SQLite database: Node itself offers no file locks.
 */
export async function tryFileLock(file: string): Promise<FileLock | undefined> {
  const client = createClient({ url: pathToFileURL(file).href, timeout: 0, concurrency: 1 })
  try {
    const transaction = await client.transaction('write')
    return {
      async release() {
        await transaction.rollback()
        client.close()
      },
    }
  } catch (error) {
    client.close()
    if (error instanceof LibsqlError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw storageFailure(error)
  }
}
