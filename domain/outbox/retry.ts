import type { ClaimedEntry } from './claim.ts'

const FIRST_DELAY_MS = 60_000
const DELAY_MAX_MS = 60 * 60_000
/** How long a scheduled message is tried. */
const TRIED_FOR_MS = 24 * 60 * 60_000

/** When something was tried, and a number in [0, 1) that spreads what failed at the same time. */
export interface TryTime {
  readonly nowMs: number
  readonly random: number
}

/**
 * When an entry that was not sent is tried again, in milliseconds UTC: after a minute, then twice as late each time, an
 * hour at most. Undefined when it has been tried for a day, or somebody waits for the outcome.
 */
export function retryAtMs(
  { isImmediate, attempts, date }: Pick<ClaimedEntry, 'isImmediate' | 'attempts' | 'date'>,
  { nowMs, random }: TryTime,
): number | undefined {
  if (isImmediate) return undefined
  const exponential = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (attempts - 1))
  const atMs = nowMs + Math.round(exponential * (1 + random / 4))
  // Of an entry whose time was past when it was set, this is when it was set.
  return atMs > date + TRIED_FOR_MS ? undefined : atMs
}
