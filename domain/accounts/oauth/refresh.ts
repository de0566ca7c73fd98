import type { RefreshFailure } from '../../../db/schema/oauth-grants.ts'
import { MailServerError } from '../../../runtime/ports/mail-server-error.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { SERVICE_NAME } from '../../identity.ts'
import { OAUTH_PROVIDERS } from './providers.ts'
import { saveTokens } from './save-tokens.ts'
import { saveRefreshFailure, type StoredGrant } from './stored-grant.ts'
import type { TokenAnswer } from './token-answer.ts'
import { askTokenEndpoint } from './token-endpoint.ts'

/** Answers that only its owner can help (RFC 6749 section 5.2, OpenID Connect Core section 3.1.2.6). */
const ENDED: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
])

/**
 * Gets the next access token of a grant whose refresh is claimed (RFC 6749 section 6), and stores it, with a new
 * refresh token where one came, before anybody uses it. Undefined when the grant has been replaced meanwhile, or
 * somebody else has claimed it after us; throws a `MailServerError` as `findAccessToken` does.
 */
export async function refresh(
  ctx: Needs<'store' | 'secretBox' | 'outbound' | 'clock'>,
  grant: StoredGrant,
): Promise<string | undefined> {
  const { clientId, sealedClientSecret, tokenUrl } = grant
  const clientSecret = sealedClientSecret && (await ctx.secretBox.open(sealedClientSecret))
  const answer = await askTokenEndpoint(
    ctx,
    { clientId, tokenUrl, ...(clientSecret && { clientSecret }) },
    {
      grant_type: 'refresh_token',
      refresh_token: await ctx.secretBox.open(grant.sealedRefreshToken),
    },
  )
  if (answer.kind === 'issued') {
    const isSaved = await saveTokens(ctx, grant, answer.tokens)
    return isSaved ? answer.tokens.accessToken : undefined
  }
  const failure = refreshFailure(answer, grant)
  if (await saveRefreshFailure(ctx, grant, failure)) throw failureOf(failure)
  return undefined
}

/** A failing endpoint says nothing about the grant, so that nobody is asked to authorise for it. */
export const failureOf = ({ kind, message }: RefreshFailure): MailServerError =>
  new MailServerError(kind, message, { retryable: kind === 'unreachable' })

function refreshFailure(
  answer: Exclude<TokenAnswer, { kind: 'issued' }>,
  { provider, accountName }: StoredGrant,
): RefreshFailure {
  const { name } = OAUTH_PROVIDERS[provider]
  if (answer.kind === 'denied' && ENDED.has(answer.error))
    return {
      kind: 'auth',
      message: `${name} has ended the authorisation (${answer.words}); authorise again: ${authoriseCommand(accountName)}`,
    }
  return { kind: 'unreachable', message: `The token endpoint of ${name} failed: ${answer.words}` }
}

/** What its owner types to authorise the account again. */
const authoriseCommand = (accountName: string): string =>
  `${SERVICE_NAME} account authorise ${/^[\w.@+-]+$/.test(accountName) ? accountName : `"${accountName}"`}`
