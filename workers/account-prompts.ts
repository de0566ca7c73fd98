/** Asks the sync of an account to look at its watched folders now, rather than when it is time. */
export interface Prompt {
  /** Not lost while the sync is at something else. `folderId` is one that it may not know yet. */
  now(folderId?: number): void
  /** Does `work` with a signal that aborts with `signal` or when prompted; the folders that were named since the last time. */
  during(
    signal: AbortSignal,
    work: (untilPrompted: AbortSignal) => Promise<void>,
  ): Promise<readonly number[]>
}

/** Prompts of the accounts that are synced in this process. */
export interface AccountPrompts {
  of(accountId: number): Prompt
}

export function accountPrompts(): AccountPrompts {
  const prompts = new Map<number, Prompt>()
  return {
    of(accountId) {
      const prompt = prompts.get(accountId) ?? newPrompt()
      prompts.set(accountId, prompt)
      return prompt
    },
  }
}

function newPrompt(): Prompt {
  let prompted = new AbortController()
  let named: number[] = []
  return {
    now(folderId) {
      if (folderId !== undefined) named.push(folderId)
      prompted.abort()
    },
    async during(signal, work) {
      await work(AbortSignal.any([signal, prompted.signal]))
      const folderIds = named
      prompted = new AbortController()
      named = []
      return folderIds
    },
  }
}
