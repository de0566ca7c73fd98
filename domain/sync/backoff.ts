const FIRST_MS = 2_000
const LONGEST_MS = 10 * 60_000
/** A login that was refused will be refused again until somebody changes a setting, which ends the wait. */
const REFUSED_LOGIN_MS = 5 * 60_000
/** Nobody is bothered by another try, and people who make room want to see that it helped. */
const STORAGE_LONGEST_MS = 30_000

/** A server that failed, a login that was refused, or a disk that takes no writes. */
export type FailureCause = 'server' | 'login' | 'storage'

/**
 * How long to wait before the next connection, in milliseconds, after `failures` (1 or more) in a row. `random`
 * in [0, 1) spreads the accounts of one server over the second half of the wait.
 */
export function backoffMs(
  failures: number,
  { cause, random }: { cause: FailureCause; random: number },
): number {
  const longest = cause === 'storage' ? STORAGE_LONGEST_MS : LONGEST_MS
  const exponential = Math.min(longest, FIRST_MS * 2 ** (failures - 1))
  const wait = cause === 'login' ? Math.max(REFUSED_LOGIN_MS, exponential) : exponential
  return Math.round((wait / 2) * (1 + random))
}
