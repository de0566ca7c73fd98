import type { DovecotOptions, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import type { LabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import type { LabSmtp } from '../lab/smtp.ts'

/** The mail servers of one part of the bench. */
export interface LabServers {
  readonly dovecot: LabDovecot
  readonly smtp: LabSmtp
  /** A user who can log in to both. */
  addUser(): Promise<DovecotUser>
}

/** Both go with the stack. */
export async function startLabServers(
  stack: AsyncDisposableStack,
  options: DovecotOptions = {},
): Promise<LabServers> {
  const dovecot = stack.adopt(await startLabDovecot(options), (server) => server.stop())
  const users: Record<string, string> = {}
  const smtp = stack.adopt(await startLabSmtp({ tls: 'none', users }), (server) => server.stop())
  const addUser = async () => {
    const user = await dovecot.addUser()
    users[user.user] = user.password
    return user
  }
  return { dovecot, smtp, addUser }
}
