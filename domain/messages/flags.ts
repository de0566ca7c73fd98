/** What we show of a message's flags (RFC 3501 section 2.3.2). */
export interface ShownFlags {
  readonly read: boolean
  readonly starred: boolean
  readonly answered: boolean
  readonly labels: readonly string[]
}

/** What we show of these flags where nothing was changed here. */
export function shownFlags(flags: readonly string[]): ShownFlags {
  return {
    read: flags.includes('\\Seen'),
    starred: flags.includes('\\Flagged'),
    answered: flags.includes('\\Answered'),
    labels: flags.filter(isLabel),
  }
}

/**
 * What we show after the server's flags went from `before` to `after`. Only what the server changed is taken
 * over, so a change made here that it does not know yet stays. Labels are only ever added (spec section 6,
 * rule 1).
 */
export function shownAfter(
  shown: ShownFlags,
  before: readonly string[],
  after: readonly string[],
): ShownFlags {
  const old = shownFlags(before)
  const now = shownFlags(after)
  return {
    read: old.read === now.read ? shown.read : now.read,
    starred: old.starred === now.starred ? shown.starred : now.starred,
    answered: old.answered === now.answered ? shown.answered : now.answered,
    labels: [...new Set([...shown.labels, ...now.labels])],
  }
}

/** Keywords are labels, but for those that clients and servers use among themselves. */
function isLabel(flag: string): boolean {
  return !/^[\\$]/.test(flag) && !/^(junk|nonjunk)$/i.test(flag)
}
