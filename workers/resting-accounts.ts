import type { Outcome } from '../domain/outbox/outcome.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const FIRST_MS = 2_000
const LONGEST_MS = 60_000

/** Accounts whose SMTP servers could not be asked: the backlog of one must not stand in the way of all others. */
export interface RestingAccounts {
  note(accountId: number, outcome: Outcome): void
  ids(): readonly number[]
}

/** Rests that are twice as long each time, a minute at most; an answer of any kind ends them. */
export function restingAccounts({ clock }: Needs<'clock'>): RestingAccounts {
  const rests = new Map<number, { readonly ms: number; readonly untilMs: number }>()
  const nowMs = () => clock.now().getTime()
  return {
    note(accountId, outcome) {
      if (outcome.kind === 'lost' || outcome.kind === 'left') return
      const isAnswered =
        outcome.kind === 'sent' || outcome.failure.isFinal || outcome.failure.failure === 'refused'
      const ms = Math.min(LONGEST_MS, 2 * (rests.get(accountId)?.ms ?? FIRST_MS / 2))
      if (isAnswered) rests.delete(accountId)
      else rests.set(accountId, { ms, untilMs: nowMs() + ms })
    },
    ids: () => [...rests].flatMap(([id, { untilMs }]) => (untilMs > nowMs() ? [id] : [])),
  }
}
