import type { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { listLiveSidecars } from '../sidecars/list-live.ts'

type SyncState = typeof accounts.$inferSelect.state

/**
 * Why nothing can be written, in plain words; undefined when it can. A sidecar that cannot write cannot say so, but
 * its heart stops beating: writing is tried only where none does.
 */
export async function syncTrouble(ctx: Needs<'store'>): Promise<string | undefined> {
  return (await listLiveSidecars(ctx)).length > 0 ? undefined : ctx.store.writeTrouble()
}

/** The account with `trouble` as its error, where there is any and it is synced. */
export const showingTrouble = <Row extends { state: SyncState; error: string | null }>(
  row: Row,
  trouble: string | undefined,
): Row =>
  trouble === undefined || row.state === 'paused' ? row : { ...row, state: 'error', error: trouble }
