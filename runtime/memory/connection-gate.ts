import type { MailServer, MailSession, ServerSettings } from '../ports/mail-server.ts'
import { type Turnstile, turnstile } from './turnstile.ts'

/** Providers close the door on a user with more. */
const CONNECTIONS_PER_ACCOUNT = 3
/** A start with many accounts must not look like an attack to their server. */
const LOGINS_PER_HOST = 4

/** The same mail server; who would have too many connections or logins at once waits for a turn. */
export function gatedMailServer(server: MailServer): MailServer {
  const ofAccounts = turnstiles(CONNECTIONS_PER_ACCOUNT)
  const ofHosts = turnstiles(LOGINS_PER_HOST)
  return {
    async connect(settings, options = {}) {
      const { signal } = options
      const leaveAccount = await ofAccounts.enter(accountKey(settings), signal)
      try {
        const leaveHost = await ofHosts.enter(hostKey(settings), signal)
        try {
          return leavingOnClose(await server.connect(settings, options), leaveAccount)
        } finally {
          leaveHost()
        }
      } catch (error) {
        leaveAccount()
        throw error
      }
    },
  }
}

const hostKey = ({ host, port }: ServerSettings) => `${host.toLowerCase()}:${port}`
const accountKey = (settings: ServerSettings) => `${settings.user}\n${hostKey(settings)}`

const leavingOnClose = (session: MailSession, leave: () => void): MailSession => ({
  ...session,
  close: () => session.close().finally(leave),
})

/** A turnstile for each key that somebody is at. */
function turnstiles(places: number) {
  const byKey = new Map<string, Turnstile>()
  return {
    async enter(key: string, signal: AbortSignal | undefined): Promise<() => void> {
      const gate = byKey.get(key) ?? turnstile(places)
      byKey.set(key, gate)
      const leave = await gate.enter(signal)
      return () => {
        leave()
        if (gate.isIdle() && byKey.get(key) === gate) byKey.delete(key)
      }
    },
  }
}
