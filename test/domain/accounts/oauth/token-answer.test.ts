import { expect, test } from 'vitest'
import { readTokenAnswer } from '../../../../domain/accounts/oauth/token-answer.ts'

const reply = (status: number, body: unknown) => ({
  status,
  headers: {},
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
})
const ISSUED = { access_token: 'a', token_type: 'Bearer', expires_in: 60 }

test('tokens are read with everything that comes along', () => {
  const body = { ...ISSUED, refresh_token: 'r', scope: 's', id_token: 'i', more: true }
  expect(readTokenAnswer(reply(200, body), [])).toEqual({
    kind: 'issued',
    tokens: {
      accessToken: 'a',
      refreshToken: 'r',
      expiresInMs: 60_000,
      scope: 's',
      idToken: 'i',
    },
  })
})

test.each([
  ['a number as text', '120', 120_000],
  ['nothing', undefined, 3_600_000],
  ['no number', 'soon', 3_600_000],
  ['a time in the past', -1, 3_600_000],
])('an expiry given as %s', (_what, expiresIn, expected) => {
  const answer = readTokenAnswer(reply(200, { ...ISSUED, expires_in: expiresIn }), [])
  expect(answer).toMatchObject({ tokens: { expiresInMs: expected } })
})

test.each([
  ['another type of token', { ...ISSUED, token_type: 'mac' }],
  ['no access token', { ...ISSUED, access_token: undefined }],
  ['an access token that would end a protocol line', { ...ISSUED, access_token: 'a\r\nb' }],
  ['a page', '<html>Sign in</html>'],
  ['an error', { error: 'invalid_grant' }],
])('a 200 with %s says nothing about the grant', (_what, body) => {
  expect(readTokenAnswer(reply(200, body), [])).toMatchObject({ kind: 'failed' })
})

test('a refusal is told by its code, in the words of the endpoint', () => {
  const body = { error: 'invalid_grant', error_description: 'Token has been\r\nrevoked.' }
  expect(readTokenAnswer(reply(400, body), [])).toEqual({
    kind: 'denied',
    error: 'invalid_grant',
    words: 'invalid_grant: Token has been revoked.',
  })
})

test('what an endpoint repeats of the request stays secret', () => {
  const body = { error: 'invalid_grant', error_description: 'No such token: s3cr3t (client hush)' }
  const answer = readTokenAnswer(reply(400, body), ['s3cr3t', 'hush', ''])
  expect(answer).toMatchObject({ words: 'invalid_grant: No such token: *** (client ***)' })
})

test('so does what it repeats of the form it was sent', () => {
  const secret = '1//0gSECRET part'
  const form = new URLSearchParams({ refresh_token: secret, client_secret: 'hush' })
  const body = { error: 'invalid_request', error_description: `Cannot read ${form}` }
  expect(readTokenAnswer(reply(400, body), [secret, 'hush'])).toMatchObject({
    words: 'invalid_request: Cannot read refresh_token=***&client_secret=***',
  })
})

test.each([
  [500, { error: 'invalid_grant' }, 'it answered 500 (invalid_grant)'],
  [429, { error: 'rate_limited' }, 'it answered 429 (rate_limited)'],
  [503, '<html>', 'it answered 503'],
  [400, 'Bad Request', 'it answered 400'],
  [302, '', 'it answered 302'],
])('status %i is a failure of the endpoint, not a refusal', (status, body, words) => {
  expect(readTokenAnswer(reply(status, body), [])).toEqual({ kind: 'failed', words })
})

test('no reply is a failure in the words of the connection', () => {
  const timeout = { status: null, failure: 'timeout', reason: 'no complete reply' } as const
  expect(readTokenAnswer(timeout, [])).toEqual({ kind: 'failed', words: 'no complete reply' })
})
