/** UIDs in one command: servers have a limit to its length, and gaps make every UID a number of its own. */
const UIDS_PER_COMMAND = 1_000

/** The UIDs as they may be named in one command each, in the order given. */
export function* uidSlices(uids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < uids.length; start += UIDS_PER_COMMAND)
    yield uids.slice(start, start + UIDS_PER_COMMAND)
}
