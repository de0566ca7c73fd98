const ROWIDS_PER_SECOND = 65_536

/**
 * The search rowid to try first for a message of this date. Rowids grow with the date, so that the index gives
 * the newest matches first by itself, and stay below 2^53 up to the year 2200. Within a second the hash decides,
 * so that messages of one second rarely meet; whoever finds a rowid taken tries the next one, and a full second
 * spills into the one after.
 */
export function searchRowid(dateMs: number, sourceHash: string): number {
  return Math.floor(dateMs / 1000) * ROWIDS_PER_SECOND + Number.parseInt(sourceHash.slice(0, 4), 16)
}

/** The search rowids of messages of the second that this instant is in, where no second was full. */
export function rowidsOfSecond(dateMs: number): { readonly first: number; readonly last: number } {
  const first = Math.floor(dateMs / 1000) * ROWIDS_PER_SECOND
  return { first, last: first + ROWIDS_PER_SECOND - 1 }
}

/** The second that a search rowid stands for: milliseconds UTC. */
export const secondOfRowid = (rowid: number): number =>
  Math.floor(rowid / ROWIDS_PER_SECOND) * 1_000
