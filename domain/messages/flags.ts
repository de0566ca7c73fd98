import type { PendingChange } from '../mailbox-changes/pending.ts'
import { labelOf } from './keyword.ts'
import { labelsWithout, unitedLabels } from './labels.ts'

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
    labels: unitedLabels([], flags.filter(isLabel).map(labelOf)),
  }
}

/**
 * What we show after the server's flags went from `before` to `after`. Only what the server changed is taken over, and
 * nothing of that of which a change made here is pending. Labels are only ever added (spec section 6, rule 1).
 */
export function shownAfter(
  shown: ShownFlags,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  pending: PendingChange,
): ShownFlags {
  const old = shownFlags(before)
  const now = shownFlags(after)
  return {
    read: pending.read || old.read === now.read ? shown.read : now.read,
    starred: pending.starred || old.starred === now.starred ? shown.starred : now.starred,
    answered: pending.answered || old.answered === now.answered ? shown.answered : now.answered,
    labels: unitedLabels(shown.labels, labelsWithout(now.labels, pending.labelsRemoved)),
  }
}

/** Keywords are labels, but for those that clients and servers use among themselves. */
export function isLabel(flag: string): boolean {
  return !/^[\\$]/.test(flag) && !/^(junk|nonjunk)$/i.test(flag)
}
