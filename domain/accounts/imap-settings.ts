import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { ServerSettings } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** How to log in to the account's IMAP server; undefined when the account is gone. */
export async function findImapSettings(
  { store, secretBox }: Needs<'store' | 'secretBox'>,
  accountId: number,
): Promise<ServerSettings | undefined> {
  const [account] = await store.read.select().from(accounts).where(eq(accounts.id, accountId))
  if (!account) return undefined
  return {
    host: account.imapHost,
    port: account.imapPort,
    tls: account.imapTls,
    user: account.imapUser,
    password: await secretBox.open(account.sealedPassword),
  }
}
