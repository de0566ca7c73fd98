import { connectImap } from '../domain/accounts/connect-imap.ts'
import { backoffMs } from '../domain/sync/backoff.ts'
import { type Lease, LeaseLost, markSynced } from '../domain/sync/lease.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import { passOverAccount } from './account-pass.ts'
import type { Prompt } from './account-prompts.ts'
import type { Turn } from './account-turns.ts'
import type { AccountView } from './account-view.ts'
import { refreshFolder } from './folder-refresh.ts'
import { syncFolder, whereAllowed } from './folder-sync.ts'
import { folderTroubles, type FolderTroubles } from './folder-troubles.ts'
import type { SyncPorts } from './open-folder.ts'
import { causeOf, reportFailure, reportSuccess } from './sync-outcome.ts'
import { withDeadline } from '../domain/wait.ts'

/** How often Sent, Drafts and the other continuously synced folders are looked at while the inbox idles. */
const SYNCED_FOLDERS_EVERY_MS = 30_000
/** How often the folder tree and all other folders are looked at on a connection that lasts. */
const ALL_FOLDERS_EVERY_MS = 10 * 60_000
/** How soon after one another passes follow while the server keeps reporting changes in other folders. */
const PASSES_APART_MS = 1_000

/** What keeping an account in sync needs. */
export type AccountSyncPorts = SyncPorts &
  Needs<'mailServer' | 'secretBox' | 'outbound' | 'transcripts'>

/** The account that is synced. */
export interface Held {
  readonly lease: Lease
  readonly turn: Turn
  readonly prompt: Prompt
}

/**
 * Keeps the store equal to the account on its server until `signal` aborts or the lease is lost. What goes wrong
 * shows as the account's error, and the next attempt waits longer each time; only a completed pass ends that.
 */
export async function syncAccount(
  ctx: AccountSyncPorts,
  { lease, turn, prompt }: Held,
  signal: AbortSignal,
): Promise<void> {
  const troubles = folderTroubles(ctx)
  let failures = 0
  while (!signal.aborted) {
    try {
      await syncWhileConnected(ctx, lease, {
        signal,
        turn,
        prompt,
        troubles,
        onPass: () => (failures = 0),
      })
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) return
      failures += 1
      await reportFailure(ctx, lease, error)
      const cause = causeOf(error)
      await ctx.clock.sleep(backoffMs(failures, { cause, random: Math.random() }), signal)
    }
  }
}

interface Attempt extends Omit<Held, 'lease'> {
  readonly signal: AbortSignal
  readonly troubles: FolderTroubles
  readonly onPass: () => void
}

async function syncWhileConnected(
  ctx: AccountSyncPorts,
  lease: Lease,
  { signal, turn, prompt, troubles, onPass }: Attempt,
): Promise<void> {
  const session = await connectImap(ctx, lease.accountId, signal)
  if (!session) throw new LeaseLost(`Account ${lease.accountId} was removed.`)
  const end = () => void session.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const connection = {
      session,
      lease,
      turn,
      troubles,
      backlogs: new Map(),
      undelivered: new Map(),
    }
    const isWatched = await session.watchElsewhere()
    let isSecondLook = false
    while (!signal.aborted) {
      const { view, hasLookedElsewhere } = await passOverAccount(ctx, connection)
      await reportSuccess(ctx, lease)
      await markSynced(ctx, lease)
      ctx.metrics.count('sync_passes_completed_total')
      onPass()
      // A server need not tell what happens in a folder that is just being left.
      isSecondLook = isWatched && hasLookedElsewhere && !isSecondLook
      const nextPassMs = isSecondLook ? PASSES_APART_MS : ALL_FOLDERS_EVERY_MS
      await watch(ctx, { view, nextPassMs, prompt }, signal)
    }
  } finally {
    signal.removeEventListener('abort', end)
    await session.close()
  }
}

interface Watch {
  readonly view: AccountView
  readonly nextPassMs: number
  readonly prompt: Prompt
}

/**
 * Idles where mail arrives and looks at the other continuously synced folders in turn, until a whole pass is due: by
 * the clock, or because the server reports a change in another folder. A prompt ends the idling, and makes a whole pass
 * due where it names a folder that the last pass did not see.
 */
async function watch(
  ctx: AccountSyncPorts,
  { view, nextPassMs, prompt }: Watch,
  signal: AbortSignal,
): Promise<void> {
  const { connection, primary, continuous } = view
  const passedAtMs = ctx.clock.now().getTime()
  await withDeadline(ctx, { ms: nextPassMs, signal }, async (untilPass) => {
    while (!untilPass.aborted) {
      let named: readonly number[] = []
      await withDeadline(ctx, { ms: SYNCED_FOLDERS_EVERY_MS, signal: untilPass }, async (turn) => {
        named = await prompt.during(turn, (until) => idleOnPrimary(ctx, view, until))
      })
      if (untilPass.aborted) return connection.undelivered.clear()
      const isNewNamed = named.some((id) => !view.pairs.some(({ folder }) => folder.id === id))
      // Somebody waits for what was named: what else has changed comes after it.
      const isDueElsewhere = named.length === 0 && connection.session.hasChangedElsewhere()
      if (isNewNamed || isDueElsewhere) {
        const passedMs = ctx.clock.now().getTime() - passedAtMs
        return ctx.clock.sleep(Math.max(0, PASSES_APART_MS - passedMs), untilPass)
      }
      for (const folder of continuous) {
        await whereAllowed(ctx, { connection, folder, primary }, () =>
          syncFolder(ctx, connection, { folder, depth: 'recent' }),
        )
      }
      await reportSuccess(ctx, connection.lease)
    }
  })
}

async function idleOnPrimary(
  ctx: AccountSyncPorts,
  { connection, primary }: AccountView,
  signal: AbortSignal,
): Promise<void> {
  if (!primary) return ctx.clock.sleep(SYNCED_FOLDERS_EVERY_MS, signal)
  const open = await syncFolder(ctx, connection, { folder: primary, depth: 'recent' })
  for (;;) {
    await connection.session.idle(signal)
    if (signal.aborted || connection.session.hasChangedElsewhere()) return
    await refreshFolder(ctx, open, 'recent')
  }
}
