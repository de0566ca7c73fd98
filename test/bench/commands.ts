import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { svc } from './service.ts'

interface MailServer {
  readonly host: string
  readonly port: number
}

/** An account as the bench adds it; without TLS unless told. */
export interface BenchAccount {
  readonly imap: MailServer & { readonly tls?: 'implicit' }
  readonly smtp: MailServer
  readonly user: DovecotUser
}

/** A token for all that the bench does; `svc token create`. */
export const createToken = (dataDir: string): Promise<string> =>
  svc(dataDir, [
    'token',
    'create',
    '--label',
    'bench',
    '--scopes',
    'mail:read mail:send mail:modify accounts:read webhooks:manage',
  ])

/** `svc account add`, which logs in to both servers first unless told otherwise by `options`. */
export function addAccount(
  dataDir: string,
  { imap, smtp, user }: BenchAccount,
  options: readonly string[] = [],
): Promise<string> {
  const settings = {
    '--email': user.email,
    '--imap-user': user.user,
    '--imap-host': imap.host,
    '--imap-port': String(imap.port),
    '--imap-tls': imap.tls ?? 'none',
    '--smtp-host': smtp.host,
    '--smtp-port': String(smtp.port),
    '--smtp-tls': 'none',
  }
  const args = ['account', 'add', '--password-stdin', ...Object.entries(settings).flat()]
  return svc(dataDir, [...args, ...options], `${user.password}\n`)
}
