import type { Outcome } from '../domain/outbox/outcome.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** Connections are kept for longer than this. */
const READY_MS = 8_000

/** Accounts whose servers have just taken a message: the connection is there for the next one. */
export interface ReadyAccounts {
  note(accountId: number, outcome: Outcome): void
  ids(): readonly number[]
}

/** Ready for some seconds after each message, until one fails. */
export function readyAccounts({ clock }: Needs<'clock'>): ReadyAccounts {
  const untilMs = new Map<number, number>()
  const nowMs = () => clock.now().getTime()
  return {
    note(accountId, { kind }) {
      if (kind === 'sent') untilMs.set(accountId, nowMs() + READY_MS)
      else untilMs.delete(accountId)
    },
    ids: () => [...untilMs].flatMap(([id, until]) => (until > nowMs() ? [id] : [])),
  }
}
