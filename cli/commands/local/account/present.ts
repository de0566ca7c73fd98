import type { ServerAddress } from '../../../../domain/accounts/account-settings.ts'
import type { AccountSettings } from '../../../../domain/accounts/list-settings.ts'
import type { ConnectionTest, ServerCheck } from '../../../../domain/accounts/test-connection.ts'
import { note, oneLine } from '../../../output.ts'

/** An account's settings as JSON. */
export const accountJson = (account: AccountSettings) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  imap: account.imap,
  smtp: account.smtp,
  oauth: account.oauth,
  /** Null keeps all. */
  keep_sources_days: account.sourceDays,
  transcript: account.transcribed,
  sent_copy: account.sentCopy,
  state: account.state,
  error: account.error,
  last_sync_at: account.lastSyncAt?.toISOString(),
})

export const serverText = ({ host, port, tls }: ServerAddress): string => `${host}:${port} ${tls}`

/** One line for each server, in its own words. */
export const testLines = ({ imap, smtp }: ConnectionTest): readonly string[] => [
  `IMAP: ${checkText(imap)}`,
  `SMTP: ${checkText(smtp)}`,
]

export const isWell = ({ imap, smtp }: ConnectionTest): boolean => imap.ok && smtp.ok

const checkText = (check: ServerCheck) => (check.ok ? 'ok' : oneLine(check.error))

/** Warns where the password would cross a network readable for everybody on it. */
export function warnOfPlainText(servers: Readonly<Record<'imap' | 'smtp', ServerAddress>>): void {
  for (const protocol of ['imap', 'smtp'] as const) {
    const { host, tls } = servers[protocol]
    if (tls === 'none' && !/^(localhost|127\..*|::1)$/.test(host))
      note(
        `Warning: without TLS the ${protocol.toUpperCase()} password goes over the network in clear.`,
      )
  }
}
