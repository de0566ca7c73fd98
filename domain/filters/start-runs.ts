import type { Tx } from '../../db/client.ts'
import { filterRuns } from '../../db/schema/filters.ts'

/** Messages of an account that arrive in its inbox, by their sources. */
export interface FilterRuns {
  readonly accountId: number
  readonly sourceHashes: readonly string[]
  /** Milliseconds UTC. */
  readonly ranAt: number
}

/**
 * Notes that the rules have seen these messages, in the transaction of their arrival, and returns the sources they
 * had not seen: only on those may rules be run. A message that comes back, however it left, is not among them.
 */
export async function startFilterRuns(
  tx: Tx,
  { accountId, sourceHashes, ranAt }: FilterRuns,
): Promise<Set<string>> {
  if (sourceHashes.length === 0) return new Set()
  const started = await tx
    .insert(filterRuns)
    .values([...new Set(sourceHashes)].map((sourceHash) => ({ accountId, sourceHash, ranAt })))
    .onConflictDoNothing()
    .returning({ sourceHash: filterRuns.sourceHash })
  return new Set(started.map(({ sourceHash }) => sourceHash))
}
