import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { ServerSettings } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Transcript } from '../../runtime/ports/transcripts.ts'
import { type LoginPorts, openLogins } from './open-logins.ts'
import { isNotRemoved } from './not-removed.ts'

interface ImapSettings extends ServerSettings {
  /** So that settings which differ in their transcript alone differ as plain data too. */
  readonly transcribed: boolean
  /** Absent unless somebody asked for one. */
  readonly transcript: Transcript | undefined
}

/**
 * How to log in to the account's IMAP server; undefined when the account is gone. Throws a `MailServerError` where
 * an access token is needed and none can be had.
 */
export async function findImapSettings(
  ctx: LoginPorts & Needs<'transcripts'>,
  accountId: number,
): Promise<ImapSettings | undefined> {
  const [account] = await ctx.store.read
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotRemoved))
  if (!account) return undefined
  return {
    host: account.imapHost,
    port: account.imapPort,
    tls: account.imapTls,
    user: account.imapUser,
    login: (await openLogins(ctx, account)).imap,
    transcribed: account.transcribed,
    transcript: account.transcribed ? ctx.transcripts.of(accountId) : undefined,
  }
}
