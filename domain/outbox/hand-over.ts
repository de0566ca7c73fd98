import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MessageToSubmit, Submitted } from '../../runtime/ports/submission.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { findAccessToken } from '../accounts/oauth/access-token.ts'
import type { LoginPorts } from '../accounts/open-logins.ts'
import { isRefusedLogin, refusedTwice } from '../accounts/refused-login.ts'
import { findSmtpSettings } from '../accounts/smtp-settings.ts'
import type { ClaimedEntry } from './claim.ts'
import { beginHandover } from './hold-claim.ts'
import { type Outcome, outcomeOfError, Stopping } from './outcome.ts'
import { outgoingParts } from './outgoing-parts.ts'
import { smtpEnvelopeOf } from './smtp-envelope.ts'

export type HandOverPorts = LoginPorts & Needs<'submission'>

/**
 * Hands a claimed message over to the account's SMTP server, once at most: the entry is `sending`, durably, before the
 * first byte goes. Never throws; whoever calls settles the entry. After `signal` aborted, nothing is handed over.
 */
export async function handOver(
  ctx: HandOverPorts,
  entry: ClaimedEntry,
  signal: AbortSignal,
): Promise<Outcome> {
  let isBegun = false
  const beforeHandover = async () => {
    if (signal.aborted) throw new Stopping()
    if (entry.status !== 'sending') await beginHandover(ctx, entry)
    isBegun = true
  }
  try {
    const parts = await outgoingParts(ctx, entry)
    const message = {
      smtpEnvelope: smtpEnvelopeOf(parts.message, entry.waiting),
      source: () => ctx.submission.render(parts),
      beforeHandover,
    }
    const { refused } = await submit(ctx, entry.accountId, message)
    return { kind: 'sent', refused }
  } catch (error) {
    return outcomeOfError(error, isBegun)
  }
}

/** An access token that should be good but is refused is renewed, once: until it logs in, nothing is handed over. */
async function submit(
  ctx: HandOverPorts,
  accountId: number,
  message: MessageToSubmit,
): Promise<Submitted> {
  const settings = await findSmtpSettings(ctx, accountId)
  if (!settings) throw gone()
  const { login } = settings
  try {
    return await ctx.submission.send(settings, message)
  } catch (error) {
    if (login.kind !== 'oauth' || !isRefusedLogin(error)) throw error
    const accessToken = await findAccessToken(ctx, accountId, login.accessToken)
    if (accessToken === undefined) throw gone()
    const renewed = { ...settings, login: { kind: 'oauth', accessToken } } as const
    return ctx.submission.send(renewed, message).catch((again: unknown) => {
      throw isRefusedLogin(again) ? refusedTwice(again) : again
    })
  }
}

const gone = () =>
  new MailServerError('unreachable', 'The account is being removed.', { retryable: false })
