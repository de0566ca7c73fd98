import { setTimeout as delay } from 'node:timers/promises'

import { createClient } from '@libsql/client'

import { isIndexScattered } from '../../domain/search/merge-index.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'

const LOOK_EVERY_MS = 1_000
/** So long nothing has been written to an index that is left as it is. */
const QUIET_MS = 30_000
const MERGED_WITHIN_MS = 1_800_000

/** The search index of a database, looked at from the outside. */
export interface SearchIndexState {
  readonly segments: number
  /** Of all its pages. */
  readonly bytes: number
}

export async function searchIndexState(databaseUrl: string): Promise<SearchIndexState> {
  const one = (sql: string) => valueOf(databaseUrl, sql)
  return {
    segments: Number(await one('SELECT count(DISTINCT segid) FROM search_index_idx')),
    bytes: Number(await one("SELECT sum(pgsize) FROM dbstat WHERE name GLOB 'search_index*'")),
  }
}

/**
 * Waits until the sidecar has merged the index, as it does some time after a first sync, and nobody works on it any more.
 * Returns when that was, by `performance.now()`.
 */
export async function untilIndexMerged(databaseUrl: string): Promise<number> {
  const store = openFileStore(databaseUrl)
  // The structure record, which tells of all segments and how far they are merged (sqlite.org/fts5.html, 10).
  const structure = () =>
    valueOf(databaseUrl, 'SELECT hex(block) FROM search_index_data WHERE id = 10')
  const deadlineMs = performance.now() + MERGED_WITHIN_MS
  let last = await structure()
  let sinceMs = performance.now()
  try {
    while (performance.now() < deadlineMs) {
      await delay(LOOK_EVERY_MS)
      const now = await structure()
      if (now !== last) sinceMs = performance.now()
      last = now
      const isQuiet = performance.now() - sinceMs >= QUIET_MS
      if (isQuiet && !(await isIndexScattered({ store }))) return sinceMs
    }
  } finally {
    await store.close()
  }
  throw new Error('The search index was not merged in time.')
}

async function valueOf(url: string, sql: string): Promise<unknown> {
  const client = createClient({ url })
  try {
    return (await client.execute(sql)).rows[0]?.[0]
  } finally {
    client.close()
  }
}
