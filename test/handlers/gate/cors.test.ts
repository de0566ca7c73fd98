import { expect, test } from 'vitest'
import { harness } from '../../support/harness.ts'

const SELF = '/api/v1/tokens/self'
const ORIGIN = 'https://app.example.org'
const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' }

test('is closed without configured origins', async () => {
  await using h = await harness()
  const answer = await h.get(SELF, { Origin: ORIGIN })
  expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false)
  const asked = await h.api.request(SELF, { method: 'OPTIONS', headers: preflight })
  expect(asked.headers.has('Access-Control-Allow-Origin')).toBe(false)
  expect(asked.ok).toBe(false)
})

test('a configured origin may ask and read, failures too', async () => {
  await using h = await harness({ config: { corsOrigins: [ORIGIN] } })
  const asked = await h.api.request(SELF, { method: 'OPTIONS', headers: preflight })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
  for (const headers of [{ Origin: ORIGIN }, { Origin: ORIGIN, Authorization: 'Bearer x' }]) {
    const answer = await h.get(SELF, headers)
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
    expect(answer.headers.get('Vary')).toContain('Origin')
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  }
})

test('any other origin stays outside', async () => {
  await using h = await harness({ config: { corsOrigins: [ORIGIN] } })
  const answer = await h.get(SELF, { Origin: 'https://evil.example' })
  expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false)
  expect(answer.headers.get('Vary')).toContain('Origin')
})
