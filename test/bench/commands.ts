import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import type { LabSmtp } from '../lab/smtp.ts'
import { svc } from './service.ts'

/** A token that reads everything; `svc token create`. */
export const createToken = (dataDir: string): Promise<string> =>
  svc(dataDir, ['token', 'create', '--label', 'bench', '--scopes', 'mail:read accounts:read'])

/** `svc account add`, which logs in to both servers first. */
export function addAccount(
  dataDir: string,
  { dovecot, smtp, user }: { dovecot: Dovecot; smtp: LabSmtp; user: DovecotUser },
): Promise<string> {
  const options = {
    '--email': user.email,
    '--imap-user': user.user,
    '--imap-host': dovecot.host,
    '--imap-port': String(dovecot.imapPort),
    '--imap-tls': 'none',
    '--smtp-host': smtp.host,
    '--smtp-port': String(smtp.port),
    '--smtp-tls': 'none',
  }
  const args = ['account', 'add', '--password-stdin', ...Object.entries(options).flat()]
  return svc(dataDir, args, `${user.password}\n`)
}
