import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** As long as the sync waits after a refused login: many of them close an account. */
const REST_MS = 5 * 60_000

/** An account with the settings that its server was asked with. */
interface Asked {
  readonly accountId: number
  readonly settingsRevision: number
}

interface Rest {
  readonly settingsRevision: number
  readonly untilMs: number
  readonly isRefusedLogin: boolean
}

/** Which servers are left alone for a while, since they could not be reached or took no login. */
export interface ServerRests {
  /** Begins a rest where the failure says that another try would fail too; whether it does. */
  beginAfter(asked: Asked, failure: unknown): boolean
  /** Whether a refused login, which changed settings alone can mend, is not to be tried again yet. */
  isRefused(asked: Asked): boolean
  /** The same, or the server could not be reached. */
  isResting(asked: Asked): boolean
}

/** Rests of five minutes; changed settings end them. */
export function serverRests({ clock }: Needs<'clock'>): ServerRests {
  const rests = new Map<number, Rest>()
  const restOf = ({ accountId, settingsRevision }: Asked): Rest | undefined => {
    const rest = rests.get(accountId)
    const isOver = !rest || rest.untilMs <= clock.now().getTime()
    if (!isOver && rest.settingsRevision === settingsRevision) return rest
    rests.delete(accountId)
    return undefined
  }
  return {
    beginAfter({ accountId, settingsRevision }, failure) {
      // A server that answers no has been asked, and has nothing to rest from.
      if (failure instanceof MailServerError && failure.kind === 'refused') return false
      const isRefusedLogin =
        failure instanceof MailServerError && failure.kind === 'auth' && !failure.retryable
      const untilMs = clock.now().getTime() + REST_MS
      rests.set(accountId, { settingsRevision, untilMs, isRefusedLogin })
      return true
    },
    isRefused: (asked) => restOf(asked)?.isRefusedLogin ?? false,
    isResting: (asked) => restOf(asked) !== undefined,
  }
}
