import type { Client } from '@libsql/client/sqlite3'

/** How long other processes count as writing after they were last seen to. */
const OTHERS_WRITE_MS = 10_000
/** The share of its own time that the writer is left free while nobody else seems to want it. */
const QUIET_SHARE = 1 / 4

/**
 * Says after each transaction how long to leave the writer alone, in milliseconds. SQLite lets one process write
 * at a time, and one that waits looks again only every few milliseconds: a sync that never paused would keep it
 * out. Where another process has written lately the pause is as long as the transaction was, else a part of that.
 */
export function writerPauses(client: Client): (tookMs: number) => Promise<number> {
  let seenVersion: unknown
  let othersWriteUntilMs = 0

  return async (tookMs) => {
    // It changes when any other connection has committed, and never by what this one does.
    const { rows } = await client.execute('PRAGMA data_version')
    const version = rows[0]?.['data_version']
    const nowMs = performance.now()
    if (seenVersion !== undefined && version !== seenVersion) {
      othersWriteUntilMs = nowMs + OTHERS_WRITE_MS
    }
    seenVersion = version
    return nowMs < othersWriteUntilMs ? tookMs : tookMs * QUIET_SHARE
  }
}
