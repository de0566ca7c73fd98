/** The labels of `first`, then those of `others` that are none of them. Labels are the same in any case, as keywords are. */
export function unitedLabels(
  first: readonly string[],
  others: readonly string[],
): readonly string[] {
  const keys = new Set(first.map(labelKey))
  return others.reduce(
    (united, label) => {
      if (keys.has(labelKey(label))) return united
      keys.add(labelKey(label))
      return [...united, label]
    },
    [...first],
  )
}

/** The labels that are none of `others`. */
export function labelsWithout(
  labels: readonly string[],
  others: readonly string[],
): readonly string[] {
  const keys = new Set(others.map(labelKey))
  return labels.filter((label) => !keys.has(labelKey(label)))
}

/** What makes two labels one. */
export const labelKey = (label: string): string => label.toLowerCase()
