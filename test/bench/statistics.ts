/** The nearest-rank percentile; `fraction` 0.5 is the median. Throws when nothing was measured. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)]
  if (value === undefined) throw new RangeError('Nothing was measured.')
  return value
}

export const median = (values: readonly number[]) => percentile(values, 0.5)
