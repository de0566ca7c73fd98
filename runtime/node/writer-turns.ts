import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@libsql/client/sqlite3'

/** How often the lock is looked at: well below what a transaction takes. */
const LOOKS_APART_MS = 1

/** Knows when no other process writes. */
export interface WriterTurns {
  /** Resolves when nobody held the write lock just now, or after `atMostMs`; the event loop runs meanwhile. */
  free(atMostMs: number): Promise<void>
  close(): void
}

/**
 * Looks at the write lock over a connection of its own that never waits. The driver is synchronous: a BEGIN that
 * waits for another process keeps this one from answering anybody, up to a tenth of a second in one of SQLite's sleeps.
 */
export function writerTurns(url: string): WriterTurns {
  const client = createClient({ url, timeout: 0, concurrency: 1 })
  const isFree = async () => {
    try {
      await client.executeMultiple('BEGIN IMMEDIATE; ROLLBACK')
      return true
    } catch (error) {
      // Whatever else is wrong, the transaction itself will say.
      return (error as { readonly code?: string }).code !== 'SQLITE_BUSY'
    }
  }
  return {
    async free(atMostMs) {
      const untilMs = performance.now() + atMostMs
      while (!(await isFree()) && performance.now() < untilMs) await delay(LOOKS_APART_MS)
    },
    close: () => client.close(),
  }
}
