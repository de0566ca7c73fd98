import type { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { serversOf } from './server-columns.ts'
import type { AccountServers } from './test-connection.ts'

/** Both servers of a stored account, with the passwords unsealed. */
export async function openServers(
  { secretBox }: Needs<'secretBox'>,
  account: typeof accounts.$inferSelect,
): Promise<AccountServers> {
  const { imap, smtp } = serversOf(account)
  const password = await secretBox.open(account.sealedPassword)
  const smtpPassword = account.sealedSmtpPassword
    ? await secretBox.open(account.sealedSmtpPassword)
    : password
  return { imap: { ...imap, password }, smtp: { ...smtp, password: smtpPassword } }
}
