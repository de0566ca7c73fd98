/** Does `work` when all that came before it is done. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of the accounts whose flags are compared by one connection and changed by another. */
export interface AccountTurns {
  of(accountId: number): Turn
}

export function accountTurns(): AccountTurns {
  const turns = new Map<number, Turn>()
  return {
    of(accountId) {
      const turn = turns.get(accountId) ?? newTurn()
      turns.set(accountId, turn)
      return turn
    },
  }
}

function newTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
