const DISTANCE_MAX = 3

/** The one of `names` that `name` was most likely meant to be; undefined when none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((known) => ({ known, distance: editDistance(name, known) }))
    .toSorted((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= DISTANCE_MAX ? best.known : undefined
}

/** Insertions, deletions and replacements between two words (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
