/** Well under the 20 ms that a handler process may keep everybody waiting. */
const SLICE_MS = 5

/**
 * For all who do work of one kind, of which there may be much: what this returns resolves when one of them may take the
 * next step. That is at once as long as all of them have not taken a slice of time, else in their turn, `stepsAtOnce` of
 * them together, after everybody else was served.
 */
export function timeSlices(stepsAtOnce: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let endsAtMs = 0

  const begin = () => {
    endsAtMs = performance.now() + SLICE_MS
    for (const resolve of waiting.splice(0, stepsAtOnce)) resolve()
    if (waiting.length > 0) setTimeout(begin)
  }
  return () => {
    if (waiting.length === 0 && performance.now() < endsAtMs) return Promise.resolve()
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setTimeout(begin)
    })
  }
}
