import type { accounts } from '../../db/schema/accounts.ts'
import type { Login } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { findAccessToken } from './oauth/access-token.ts'

/** What it takes to log in: secrets to unseal, or access tokens to get. */
export type LoginPorts = Needs<'store' | 'secretBox' | 'outbound' | 'clock'>

/** What logs in to each server of the account. */
interface Logins {
  readonly imap: Login
  readonly smtp: Login
}

/** The access token of the account's grant, else its passwords. Throws as `findAccessToken` does. */
export async function openLogins(
  ctx: LoginPorts,
  account: typeof accounts.$inferSelect,
): Promise<Logins> {
  const accessToken = await findAccessToken(ctx, account.id)
  if (accessToken !== undefined) {
    const login = { kind: 'oauth', accessToken } as const
    return { imap: login, smtp: login }
  }
  const { sealedPassword, sealedSmtpPassword } = account
  const imap = passwordLogin(await ctx.secretBox.open(sealedPassword))
  const smtp = sealedSmtpPassword
    ? passwordLogin(await ctx.secretBox.open(sealedSmtpPassword))
    : imap
  return { imap, smtp }
}

export const passwordLogin = (password: string): Login => ({ kind: 'password', password })
