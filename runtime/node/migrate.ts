import { fileURLToPath } from 'node:url'
import { createClient, LibsqlError, type Client } from '@libsql/client/sqlite3'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { StorageError } from '../ports/storage-error.ts'
import { storageFailure } from './storage-failure.ts'

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/** The database cannot be used by this build; the message is for the person who started it. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * Brings the database up to this build's schema and switches it to WAL. Throws `UnusableDatabase` when the file
 * is damaged or was written by a newer build; it is then left as it was. Throws `StorageError` when it cannot be written.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = createClient({ url, timeout: 5_000, concurrency: 1 })
  try {
    await refuseNewer(client)
    await client.execute('PRAGMA journal_mode = WAL')
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER })
    // From here on the file is whole without its write-ahead log, for whoever copies it. On a full disk it cannot be.
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(unlessDiskFailed)
  } catch (error) {
    if (isDamaged(error)) {
      throw new UnusableDatabase(
        `The database is damaged (${messageOf(error)}). Restore it from a backup.`,
      )
    }
    throw storageFailure(error)
  } finally {
    client.close()
  }
}

async function refuseNewer(client: Client): Promise<void> {
  const migrated = await client.execute(
    "SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'",
  )
  if (migrated.rows.length === 0) return
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map(
    (file) => file.folderMillis,
  )
  const applied = await client.execute('SELECT max(created_at) AS newest FROM __drizzle_migrations')
  if (Number(applied.rows[0]?.['newest'] ?? 0) > Math.max(...known)) {
    throw new UnusableDatabase(
      'The database was written by a newer version of svc. Update svc, or restore a backup.',
    )
  }
}

/** The driver's error may stand behind that of drizzle, which wraps it. */
function isDamaged(error: unknown): boolean {
  if (error instanceof LibsqlError)
    return error.code === 'SQLITE_NOTADB' || error.code === 'SQLITE_CORRUPT'
  return error instanceof Error && error.cause !== undefined && isDamaged(error.cause)
}

function unlessDiskFailed(error: unknown): void {
  if (!(storageFailure(error) instanceof StorageError)) throw error
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
