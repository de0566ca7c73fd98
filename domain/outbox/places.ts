import type { outbox } from '../../db/schema/outbox.ts'

/** How many are sent at once, in all and of one account. */
const AT_ONCE = { all: 5, ofAccount: 4 } as const

/** What tells whether there is a place for an entry. */
export type Underway = Pick<typeof outbox.$inferSelect, 'id' | 'accountId' | 'isImmediate'>

/**
 * Whether an entry can be sent beside those that are under way. What is scheduled leaves one place free, in all and of
 * its account, for what somebody waits for.
 */
export function hasPlace(
  { accountId, isImmediate }: Omit<Underway, 'id'>,
  underway: readonly Underway[],
): boolean {
  const own = underway.filter((entry) => entry.accountId === accountId)
  const isRoom = underway.length < AT_ONCE.all && own.length < AT_ONCE.ofAccount
  if (isImmediate) return isRoom
  const scheduled = (entries: readonly Underway[]) =>
    entries.filter((entry) => !entry.isImmediate).length
  return isRoom && scheduled(underway) < AT_ONCE.all - 1 && scheduled(own) < AT_ONCE.ofAccount - 1
}
