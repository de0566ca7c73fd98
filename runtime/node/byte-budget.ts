/** Room for bytes that are held somewhere, given out in the order it was asked for. */
export interface ByteBudget {
  /**
   * Resolves when there is room for `bytes`, with what gives it back; giving it back twice is no error. More than
   * the whole budget counts as the whole, so that everything comes to its turn.
   */
  take(bytes: number): Promise<() => void>
  /** Bytes that are given out now. */
  held(): number
}

/** A budget of `bytesMax`. Nothing small overtakes something large: it would never find room. */
export function byteBudget(bytesMax: number): ByteBudget {
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []
  let held = 0

  const startWaiting = () => {
    for (let [next] = waiting; next && held + next.bytes <= bytesMax; [next] = waiting) {
      waiting.shift()
      held += next.bytes
      next.start()
    }
  }
  const giveBack = (bytes: number) => {
    let given = false
    return () => {
      if (given) return
      given = true
      held -= bytes
      startWaiting()
    }
  }
  return {
    take(asked) {
      const bytes = Math.min(asked, bytesMax)
      return new Promise((resolve) => {
        waiting.push({ bytes, start: () => resolve(giveBack(bytes)) })
        startWaiting()
      })
    },
    held: () => held,
  }
}
