import { expect, test } from 'vitest'
import { createToken } from '../../../domain/tokens/create.ts'
import { harness } from '../../support/harness.ts'

const SELF = '/api/v1/tokens/self'

test('every answer to a token says what is left of its limit', async () => {
  await using h = await harness({ config: { apiRateLimit: 120 } })
  for (const [path, status] of [
    [SELF, 200],
    ['/api/v1/messages/0', 404],
    ['/api/v1/x', 404],
  ] as const) {
    const answer = await h.get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"default";q=120;w=60')
    expect(answer.headers.get('RateLimit')).toMatch(/^"default";r=11\d;t=\d+$/)
  }
})

test('over the limit: 429 with Retry-After in whole seconds, and after that time it goes on', async () => {
  await using h = await harness({ config: { apiRateLimit: 6 } })
  for (let request = 0; request < 6; request += 1) expect((await h.get(SELF)).status).toBe(200)
  const refused = await h.get(SELF)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
  expect(refused.headers.get('Retry-After')).toBe('10')
  expect(refused.headers.get('RateLimit')).toBe('"default";r=0;t=10')
  h.clock.advance(9_999)
  expect((await h.get(SELF)).status).toBe(429)
  h.clock.advance(1)
  expect((await h.get(SELF)).status).toBe(200)
})

test('each token has a budget of its own', async () => {
  await using h = await harness({ config: { apiRateLimit: 1 } })
  const other = await createToken(h.runtime, { label: 'other', scopes: '' })
  expect((await h.get(SELF)).status).toBe(200)
  expect((await h.get(SELF)).status).toBe(429)
  expect((await h.get(SELF, { Authorization: `Bearer ${other.secret}` })).status).toBe(200)
})

test('a limit of 0 is none, and says nothing', async () => {
  await using h = await harness({ config: { apiRateLimit: 0 } })
  const answer = await h.get(SELF)
  expect(answer.headers.has('RateLimit')).toBe(false)
})
