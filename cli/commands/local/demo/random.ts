/** A reproducible source of chance: the same seed gives the same choices on every machine. */
export interface Random {
  /** From 0 up to but not 1. */
  fraction(): number
  /** A whole number, both ends included. */
  integer(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
}

/** Mulberry32: 32 bits of state, plenty for made-up mail and useless for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  const pick = <T>(choices: readonly T[]): T => {
    const choice = choices[integer(0, choices.length - 1)]
    if (choice === undefined) throw new RangeError('There is nothing to pick from.')
    return choice
  }
  return { fraction, integer, pick }
}
