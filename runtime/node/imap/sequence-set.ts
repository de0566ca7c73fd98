/** UIDs as an IMAP sequence set, runs as ranges: a command line has a length limit. */
export function sequenceSet(uids: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && uid === last[1] + 1) last[1] = uid
    else ranges.push([uid, uid])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',')
}
