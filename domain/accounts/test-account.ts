import type { accounts } from '../../db/schema/accounts.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { LoginPorts } from './open-logins.ts'
import { openServers } from './open-servers.ts'
import { type ConnectionTest, testConnection } from './test-connection.ts'

/**
 * Logs in to both servers of a stored account; sends and changes nothing there. Where an access token is needed and
 * none can be had, that is what keeps both from letting us in.
 */
export async function testAccount(
  ctx: LoginPorts & Needs<'mailServer' | 'submission'>,
  account: typeof accounts.$inferSelect,
): Promise<ConnectionTest> {
  try {
    return await testConnection(ctx, await openServers(ctx, account))
  } catch (error) {
    if (!(error instanceof MailServerError)) throw error
    const failed = { ok: false, error: error.message } as const
    return { imap: failed, smtp: failed }
  }
}
