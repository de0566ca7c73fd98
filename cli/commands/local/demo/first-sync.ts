import { setTimeout as sleep } from 'node:timers/promises'
import { listAccounts } from '../../../../domain/accounts/list.ts'
import type { Needs } from '../../../../runtime/ports/runtime.ts'
import { CommandFailed } from '../../../exit.ts'

const POLL_MS = 50
const WAIT_MS = 60_000

/** Resolves when the only account is synced; throws when that fails or takes longer than a minute. */
export async function firstSync(runtime: Needs<'store'>, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    const [account] = await listAccounts(runtime)
    if (account?.state === 'ok') return
    if (account?.state === 'error')
      throw new CommandFailed(`The demo mailbox could not be synced: ${account.error ?? ''}`)
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new CommandFailed('The demo mailbox was not synced within a minute.')
}
