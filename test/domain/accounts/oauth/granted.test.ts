import { expect, test } from 'vitest'
import type { OAuthClient } from '../../../../domain/accounts/oauth/client.ts'
import { grantIn } from '../../../../domain/accounts/oauth/granted.ts'
import { refuseOtherMailbox } from '../../../../domain/accounts/oauth/mailbox-of-grant.ts'

const client = (provider: OAuthClient['provider']): OAuthClient => ({
  provider,
  clientId: 'id',
  authUrl: 'https://a.test/',
  tokenUrl: 'https://t.test/',
  deviceUrl: 'https://d.test/',
})
const TOKENS = { accessToken: 'a', refreshToken: 'r', expiresInMs: 1 }
const issued = (more: object) => ({ kind: 'issued', tokens: { ...TOKENS, ...more } }) as const

test.each([
  ['google', 'openid https://mail.google.com/ email'],
  [
    'microsoft',
    'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
  ],
  ['microsoft', 'imap.accessasuser.all SMTP.Send'],
] as const)('a grant of %s for %s is for mail', (provider, scope) => {
  expect(grantIn(issued({ scope }), client(provider)).tokens.refreshToken).toBe('r')
})

test.each([
  ['google', 'openid email'],
  ['google', ''],
  ['google', '/ google.com/ mail.google.com/'],
  ['google', 'https://mail.google.com.example.com/ https://mail.google.com'],
  ['microsoft', 'https://outlook.office.com/IMAP.AccessAsUser.All'],
  ['microsoft', 'l d all send'],
  ['microsoft', 'office.com/IMAP.AccessAsUser.All office.com/SMTP.Send'],
  [
    'microsoft',
    'https://outlook.office.com.example.com/IMAP.AccessAsUser.All https://example.com/SMTP.Send',
  ],
] as const)('a grant of %s for "%s" alone is refused', (provider, scope) => {
  expect(() => grantIn(issued({ scope }), client(provider))).toThrow(/does not include mail/)
})

test('a grant that cannot be renewed is refused', () => {
  const answer = { kind: 'issued', tokens: { accessToken: 'a', expiresInMs: 1 } } as const
  expect(() => grantIn(answer, client('google'))).toThrow(/no refresh token/)
})

test('a refusal and a failing endpoint are told apart', () => {
  const denied = { kind: 'denied', error: 'access_denied', words: 'access_denied: No.' } as const
  expect(() => grantIn(denied, client('google'))).toThrow(
    'Google gave no authorisation: access_denied: No.',
  )
  expect(() => grantIn({ kind: 'failed', words: 'it answered 502' }, client('google'))).toThrow(
    'The token endpoint of Google failed: it answered 502',
  )
})

const grantOf = (claims: unknown) => ({
  client: client('google'),
  tokens: {
    ...TOKENS,
    idToken: `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`,
  },
})

test.each([
  ['the address', 'ada@example.com', 'ada@example.com'],
  ['another case', 'Ada@Example.com', 'ada@example.com'],
  ['Gmail’s other name and dots', 'adalovelace@gmail.com', 'Ada.Lovelace@googlemail.com'],
  ['a tag at Gmail', 'ada@gmail.com', 'ada+work@gmail.com'],
])('an ID token with %s is for the mailbox', (_what, email, address) => {
  expect(() => refuseOtherMailbox(grantOf({ email }), [address])).not.toThrow()
})

test('an ID token may name any of the addresses', () => {
  const grant = grantOf({ email: 'ada@example.com' })
  expect(() => refuseOtherMailbox(grant, ['work@example.com', 'ada@example.com'])).not.toThrow()
})

test.each([
  ['bob@example.com', 'ada@example.com'],
  ['a.da@example.com', 'ada@example.com'],
  ['ada@gmail.com.example.com', 'ada@gmail.com'],
])('an ID token for %s is not for %s', (email, address) => {
  expect(() => refuseOtherMailbox(grantOf({ email }), [address])).toThrow(
    `The authorisation is for ${email}, not for ${address}.`,
  )
})

test.each([[{}], [{ email: 7 }], ['text'], [null]])(
  'an ID token with %j says nothing',
  (claims) => {
    expect(() => refuseOtherMailbox(grantOf(claims), ['ada@example.com'])).not.toThrow()
  },
)

test('an ID token that is none says nothing', () => {
  const grant = { client: client('google'), tokens: { ...TOKENS, idToken: 'no.%%%.token' } }
  expect(() => refuseOtherMailbox(grant, ['ada@example.com'])).not.toThrow()
})
