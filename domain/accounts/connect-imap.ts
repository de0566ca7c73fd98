import type { Login, MailSession } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { findImapSettings } from './imap-settings.ts'
import { findAccessToken } from './oauth/access-token.ts'
import type { LoginPorts } from './open-logins.ts'
import { isRefusedLogin, refusedTwice } from './refused-login.ts'

type Ctx = LoginPorts & Needs<'mailServer' | 'transcripts'>

/**
 * Connects to the account's IMAP server and logs in; undefined when the account is gone. An access token that
 * should be good but is refused is renewed, once. `signal` ends the attempt. Throws a `MailServerError`.
 */
export async function connectImap(
  ctx: Ctx,
  accountId: number,
  signal?: AbortSignal,
): Promise<MailSession | undefined> {
  const settings = await findImapSettings(ctx, accountId)
  if (!settings) return undefined
  const connect = (login: Login) =>
    ctx.mailServer.connect({ ...settings, login }, { signal, transcript: settings.transcript })
  const { login } = settings
  try {
    return await connect(login)
  } catch (error) {
    if (login.kind !== 'oauth' || !isRefusedLogin(error)) throw error
    const accessToken = await findAccessToken(ctx, accountId, login.accessToken)
    if (accessToken === undefined) return undefined
    return connect({ kind: 'oauth', accessToken }).catch((again: unknown) => {
      throw isRefusedLogin(again) ? refusedTwice(again) : again
    })
  }
}
