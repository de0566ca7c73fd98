import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { ServerSettings } from '../../runtime/ports/mail-server.ts'
import { prepared } from '../prepared.ts'
import { isNotRemoved } from './not-removed.ts'
import { type LoginPorts, openLogins } from './open-logins.ts'
import { serversOf } from './server-columns.ts'

const byId = prepared((read) =>
  read
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, sql.placeholder('accountId')), isNotRemoved))
    .prepare(),
)

/**
 * How to log in to the account's SMTP server; undefined when the account is gone. Throws a `MailServerError` where an
 * access token is needed and none can be had.
 */
export async function findSmtpSettings(
  ctx: LoginPorts,
  accountId: number,
): Promise<ServerSettings | undefined> {
  const [account] = await byId(ctx.store.read).all({ accountId })
  if (!account) return undefined
  return { ...serversOf(account).smtp, login: (await openLogins(ctx, account)).smtp }
}
