import type { Needs } from '../../../runtime/ports/runtime.ts'
import type { NewGrant } from './granted.ts'
import type { IssuedTokens } from './token-answer.ts'

type Ctx = Needs<'secretBox' | 'clock'>

/** Of an account that a grant logs in to. No seal has this form, so nobody takes it for a password. */
export const NO_PASSWORD = ''

/** A new grant as columns, its secrets sealed. */
export async function grantColumns(ctx: Ctx, { client, tokens }: NewGrant) {
  const { provider, clientId, clientSecret, tokenUrl } = client
  return {
    provider,
    clientId,
    sealedClientSecret: clientSecret === undefined ? null : await ctx.secretBox.seal(clientSecret),
    tokenUrl,
    ...(await tokenColumns(ctx, tokens)),
    sealedRefreshToken: await ctx.secretBox.seal(tokens.refreshToken),
  }
}

export type TokenColumns = Awaited<ReturnType<typeof tokenColumns>>

/** Its tokens as columns; a refresh token that is still good stays. */
export async function tokenColumns(
  { secretBox, clock }: Ctx,
  { accessToken, refreshToken, expiresInMs }: IssuedTokens,
) {
  return {
    sealedAccessToken: await secretBox.seal(accessToken),
    accessTokenExpiresAt: Math.round(clock.now().getTime() + expiresInMs),
    ...(refreshToken !== undefined && { sealedRefreshToken: await secretBox.seal(refreshToken) }),
    refreshClaimedUntil: null,
    refreshFailure: null,
  }
}
