import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  beginAuthorisation,
  isRedirectOf,
  redeemRedirect,
} from '../../../../domain/accounts/oauth/authorisation-code.ts'
import type { OAuthClient } from '../../../../domain/accounts/oauth/client.ts'
import type { OutboundRequest } from '../../../../runtime/ports/outbound.ts'

const CLIENT: OAuthClient = {
  provider: 'google',
  clientId: 'id',
  clientSecret: 'hush',
  authUrl: 'https://a.test/?hd=kept',
  tokenUrl: 'https://t.test/',
  deviceUrl: 'https://d.test/',
}
const WANTED = { redirectUri: 'http://127.0.0.1:7', loginHint: 'ada@example.com' }

test('the address asks for a code with a challenge, a state and a refresh token', () => {
  const pending = beginAuthorisation(CLIENT, WANTED)
  const url = new URL(pending.url)
  expect(url.origin).toBe('https://a.test')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    hd: 'kept',
    response_type: 'code',
    client_id: 'id',
    redirect_uri: WANTED.redirectUri,
    scope: 'https://mail.google.com/ openid email',
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: 'ada@example.com',
    access_type: 'offline',
    prompt: 'consent',
  })
  // RFC 7636 section 4.1.
  expect(pending.codeVerifier).toMatch(/^[\w.~-]{43,128}$/)
  expect(pending.url).not.toContain(pending.codeVerifier)
  expect(pending.url).not.toContain('hush')
})

test('no two authorisations share a state or a verifier', () => {
  const [one, two] = [beginAuthorisation(CLIENT, WANTED), beginAuthorisation(CLIENT, WANTED)]
  expect(one.state).not.toBe(two.state)
  expect(one.codeVerifier).not.toBe(two.codeVerifier)
})

test('a redirect with another state, or none, is not ours', () => {
  const pending = beginAuthorisation(CLIENT, WANTED)
  expect(isRedirectOf(pending, new URLSearchParams({ state: pending.state }))).toBe(true)
  expect(isRedirectOf(pending, new URLSearchParams({ state: 'other', code: 'x' }))).toBe(false)
  expect(isRedirectOf(pending, new URLSearchParams({ code: 'x' }))).toBe(false)
})

test('the code is redeemed in the body of one POST that follows no redirect', async () => {
  const sent: OutboundRequest[] = []
  const answer = { access_token: 'a', refresh_token: 'r', token_type: 'bearer' }
  const outbound = {
    async send(request: OutboundRequest) {
      sent.push(request)
      const body = new TextEncoder().encode(JSON.stringify(answer))
      return { status: 200, headers: {}, body, truncated: false }
    },
  }
  const pending = beginAuthorisation(CLIENT, WANTED)
  const grant = await redeemRedirect({ outbound }, pending, new URLSearchParams({ code: 'c' }))
  expect(grant.tokens).toMatchObject({ accessToken: 'a', refreshToken: 'r' })
  expect(sent).toMatchObject([
    { method: 'POST', url: 'https://t.test/', limits: { redirectsMax: 0 } },
  ])
  const form = new URLSearchParams(Buffer.from(sent[0]?.body ?? []).toString())
  expect(Object.fromEntries(form)).toEqual({
    client_id: 'id',
    client_secret: 'hush',
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: WANTED.redirectUri,
    code_verifier: pending.codeVerifier,
  })
})

test('a refusal in the redirect is told, and nothing is asked', async () => {
  const outbound = { send: () => Promise.reject(new Error('Nothing may be sent.')) }
  const pending = beginAuthorisation(CLIENT, WANTED)
  const refused = new URLSearchParams({ error: 'access_denied', error_description: 'Not now' })
  await expect(redeemRedirect({ outbound }, pending, refused)).rejects.toMatchObject({
    code: 'upstream',
    message: 'Google gave no authorisation: access_denied: Not now',
  })
})
