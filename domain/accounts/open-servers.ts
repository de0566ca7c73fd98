import type { accounts } from '../../db/schema/accounts.ts'
import { type LoginPorts, openLogins } from './open-logins.ts'
import { serversOf } from './server-columns.ts'
import type { AccountServers } from './test-connection.ts'

/**
 * Both servers of a stored account, with what logs in there. Throws a `MailServerError` where an access token is
 * needed and none can be had.
 */
export async function openServers(
  ctx: LoginPorts,
  account: typeof accounts.$inferSelect,
): Promise<AccountServers> {
  const { imap, smtp } = serversOf(account)
  const logins = await openLogins(ctx, account)
  return { imap: { ...imap, login: logins.imap }, smtp: { ...smtp, login: logins.smtp } }
}
