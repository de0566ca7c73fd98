import { setTimeout as delay } from 'node:timers/promises'

import type { HttpClient } from './http-client.ts'
import { allAccounts } from './mailbox.ts'

const LOOK_EVERY_MS = 250
const PATIENCE_MS = 120_000
const PATIENCE_MS_PER_MESSAGE = 50

/** What has to be there. */
export interface Synced {
  readonly accounts: number
  /** Of all accounts. */
  readonly messages: number
  /** In milliseconds UTC; a sync that completed before does not count. */
  readonly sinceMs?: number
}

/** When all accounts had completed a sync, by `performance.now()`. Throws when one of them failed, or took too long. */
export async function untilSynced(api: HttpClient, wanted: Synced): Promise<number> {
  const { sinceMs = 0 } = wanted
  const deadlineMs = performance.now() + PATIENCE_MS + wanted.messages * PATIENCE_MS_PER_MESSAGE
  while (performance.now() < deadlineMs) {
    const accounts = await allAccounts(api)
    const failed = accounts.find(({ state }) => state === 'error')
    if (failed) throw new Error(`The sync failed: ${failed.error}`)
    const synced = accounts.filter(
      ({ state, last_sync_at: at }) => state === 'ok' && Date.parse(at ?? '') >= sinceMs,
    )
    const messages = accounts.reduce((sum, account) => sum + account.messages, 0)
    if (synced.length === wanted.accounts && messages >= wanted.messages) return performance.now()
    process.stderr.write(
      `\r  ${messages} of ${wanted.messages}, ${synced.length} of ${wanted.accounts} `,
    )
    await delay(LOOK_EVERY_MS)
  }
  throw new Error('The accounts were not synced in time.')
}
