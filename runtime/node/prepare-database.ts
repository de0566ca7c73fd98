import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { tryFileLock, type FileLock } from './file-lock.ts'
import { migrateDatabase, UnusableDatabase } from './migrate.ts'

const LOOK_AGAIN_AFTER_MS = 50
const WAIT_MAX_MS = 120_000

/** Migrates the database, an absolute file URL, while no other process does. Throws `UnusableDatabase` as `migrateDatabase` does. */
export async function prepareDatabase(url: string): Promise<void> {
  const lock = await migrationLock(`${fileURLToPath(url)}.lock`)
  try {
    await migrateDatabase(url)
  } finally {
    await lock.release()
  }
}

async function migrationLock(file: string): Promise<FileLock> {
  const givesUpAtMs = performance.now() + WAIT_MAX_MS
  while (performance.now() < givesUpAtMs) {
    const lock = await tryFileLock(file)
    if (lock) return lock
    await delay(LOOK_AGAIN_AFTER_MS)
  }
  throw new UnusableDatabase('Another process has been migrating the database for two minutes.')
}
