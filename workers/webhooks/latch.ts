/** Wakes the one loop that waits for it. What was set while nobody waited ends the next wait at once. */
export interface Latch {
  set(): void
  wait(): Promise<void>
}

export function latch(): Latch {
  let isSet = false
  let wakeUp: (() => void) | undefined
  return {
    set() {
      isSet = true
      wakeUp?.()
    },
    async wait() {
      if (!isSet)
        await new Promise<void>((resolve) => {
          wakeUp = resolve
        })
      isSet = false
      wakeUp = undefined
    },
  }
}
