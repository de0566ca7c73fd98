import type { accounts } from '../../db/schema/accounts.ts'
import type { ServerAddress } from './account-settings.ts'

type AccountRow = typeof accounts.$inferSelect

/** Both servers as columns of the account. */
export const serverColumns = (imap: ServerAddress, smtp: ServerAddress) => ({
  imapHost: imap.host,
  imapPort: imap.port,
  imapTls: imap.tls,
  imapUser: imap.user,
  smtpHost: smtp.host,
  smtpPort: smtp.port,
  smtpTls: smtp.tls,
  smtpUser: smtp.user,
})

/** The way back. */
export const serversOf = (
  row: AccountRow,
): { readonly imap: ServerAddress; readonly smtp: ServerAddress } => ({
  imap: { host: row.imapHost, port: row.imapPort, tls: row.imapTls, user: row.imapUser },
  smtp: { host: row.smtpHost, port: row.smtpPort, tls: row.smtpTls, user: row.smtpUser },
})
