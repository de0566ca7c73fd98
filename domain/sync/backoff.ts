const FIRST_MS = 2_000
const LONGEST_MS = 10 * 60_000
/** A login that was refused will be refused again until somebody changes a setting, which ends the wait. */
const REFUSED_LOGIN_MS = 5 * 60_000

/**
 * How long to wait before the next connection, in milliseconds, after `failures` (1 or more) in a row. `random`
 * in [0, 1) spreads the accounts of one server over the second half of the wait.
 */
export function backoffMs(
  failures: number,
  { loginRefused, random }: { loginRefused: boolean; random: number },
): number {
  const exponential = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  const wait = loginRefused ? Math.max(REFUSED_LOGIN_MS, exponential) : exponential
  return Math.round((wait / 2) * (1 + random))
}
