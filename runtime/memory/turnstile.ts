/** Lets so many through at once; the others wait in the order in which they came. */
export interface Turnstile {
  /** Resolves to what gives the place back (once is enough); rejects when `signal` aborts before. */
  enter(signal?: AbortSignal): Promise<() => void>
  /** Whether nobody is inside or waiting. */
  isIdle(): boolean
}

export function turnstile(places: number): Turnstile {
  let free = places
  const waiting: (() => void)[] = []

  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const place = () => {
    let isInside = true
    return () => {
      if (isInside) leave()
      isInside = false
    }
  }
  return {
    isIdle: () => free === places,
    async enter(signal) {
      signal?.throwIfAborted()
      if (free > 0) {
        free -= 1
        return place()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        const at = waiting.indexOf(resolve)
        // Who is let in at the same moment is in.
        if (at < 0) return
        waiting.splice(at, 1)
        reject(signal?.reason)
      }
      waiting.push(resolve)
      signal?.addEventListener('abort', giveUp, { once: true })
      await promise.finally(() => signal?.removeEventListener('abort', giveUp))
      return place()
    },
  }
}
