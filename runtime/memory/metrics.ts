import type { MetricLabels, Metrics } from '../ports/metrics.ts'

/** Counters in a map. */
export function memoryMetrics(): Metrics {
  const counters = new Map<string, number>()
  return {
    count(name, labels = {}, by = 1) {
      const key = `${name}${written(labels)}`
      counters.set(key, (counters.get(key) ?? 0) + by)
    },
    read: () => Object.fromEntries(counters),
  }
}

function written(labels: MetricLabels): string {
  const pairs = Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
