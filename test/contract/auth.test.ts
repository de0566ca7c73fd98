import { describe, expect, test } from 'vitest'
import { createToken } from '../../domain/tokens/create.ts'
import { revokeToken } from '../../domain/tokens/revoke.ts'
import { gatedEndpoints, openEndpoints } from '../../handlers/api.ts'
import { harness } from '../support/harness.ts'

const gated = gatedEndpoints.map(({ route }) => ({
  name: route.operationId,
  method: route.method.toUpperCase(),
  path: `/api${route.path.replaceAll(/\{[^}]+\}/g, '1')}`,
  scope: 'x-scope' in route ? route['x-scope'] : undefined,
}))
const scopedOnes = gated.flatMap(({ scope, ...rest }) => (scope ? [{ ...rest, scope }] : []))

test('every endpoint has a scope, or stands on the short list of those that need none', () => {
  expect(gated.filter(({ scope }) => !scope).map(({ name }) => name)).toEqual(['getTokenSelf'])
  expect(openEndpoints.map(({ route }) => route.path)).toEqual(['/health', '/v1/openapi.json'])
})

describe.each(gated)('$name', ({ method, path }) => {
  test('without a token: 401 with a challenge', async () => {
    await using h = await harness()
    const answer = await h.api.request(path, { method })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await answer.json()).toEqual({
      error: { code: 'unauthorized', message: expect.any(String) },
    })
  })

  test('with a licence that does not allow it: 402 before the token, and no budget spent', async () => {
    await using h = await harness({ config: { automation: false, apiRateLimit: 1 } })
    for (const headers of [{}, { Authorization: `Bearer ${h.secret}` }]) {
      const answer = await h.api.request(path, { method, headers })
      expect(answer.status).toBe(402)
      expect(answer.headers.get('RateLimit')).toBeNull()
      expect(await answer.json()).toEqual({
        error: {
          code: 'licence_required',
          message: expect.any(String),
          details: { url: 'https://mail.example.org/settings/licence' },
        },
      })
    }
    expect(h.runtime.rateLimiter.take(String(h.token.id), 0).allowed).toBe(true)
  })
})

describe.each(scopedOnes)('$name', ({ method, path, scope }) => {
  test(`without ${scope}: 403 that names it`, async () => {
    await using h = await harness({
      scopes: ['mail:read', 'mail:send', 'accounts:read'].filter((other) => other !== scope),
    })
    const answer = await h.send(method, `${path}?limit=0`)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual({
      error: { code: 'insufficient_scope', message: expect.stringContaining(scope) },
    })
  })
})

describe('a token', () => {
  const SELF = '/api/v1/tokens/self'

  test.each(['Bearer', 'Bearer x', 'Basic TOKEN', 'TOKEN', 'Bearer TOKEN extra', 'Bearer TOKENx'])(
    'sent as %j is refused',
    async (form) => {
      await using h = await harness()
      const header = form.replace('TOKEN', h.secret)
      const answer = await h.get(SELF, { Authorization: header })
      expect(answer.status).toBe(401)
    },
  )

  test.each(['Bearer TOKEN', 'bearer TOKEN', 'BEARER  TOKEN'])(
    'sent as %j is taken',
    async (form) => {
      await using h = await harness()
      const answer = await h.get(SELF, { Authorization: form.replace('TOKEN', h.secret) })
      expect(answer.status).toBe(200)
    },
  )

  test('is never taken from a cookie or the query', async () => {
    await using h = await harness()
    const answer = await h.api.request(`${SELF}?access_token=${h.secret}`, {
      headers: { Cookie: `token=${h.secret}` },
    })
    expect(answer.status).toBe(401)
  })

  test('that was revoked, or has expired, is refused at the next request', async () => {
    await using h = await harness()
    const expiring = await createToken(h.runtime, {
      label: 'soon',
      scopes: '',
      expiresAt: new Date(h.clock.now().getTime() + 60_000),
    })
    const withExpiring = { Authorization: `Bearer ${expiring.secret}` }
    expect((await h.get(SELF)).status).toBe(200)
    expect((await h.get(SELF, withExpiring)).status).toBe(200)
    await revokeToken(h.runtime, { id: h.token.id })
    h.clock.advance(60_000)
    expect((await h.get(SELF)).status).toBe(401)
    expect((await h.get(SELF, withExpiring)).status).toBe(401)
  })
})
