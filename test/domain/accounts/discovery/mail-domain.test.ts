import { expect, test } from 'vitest'
import { isWithin, mailAddress } from '../../../../domain/accounts/discovery/mail-domain.ts'

test.each([
  ['ada@Example.ORG', 'example.org'],
  ['ada@example.org.', 'example.org'],
  ['ada@müller.example', 'xn--mller-kva.example'],
  ['ada@nas', 'nas'],
])('%s is looked up as %s', (email, domain) => {
  expect(mailAddress(email).domain).toBe(domain)
})

test.each([
  'ada',
  'ada@',
  'ada@127.0.0.1',
  'ada@2130706433',
  'ada@[127.0.0.1]',
  'ada@evil.example/path',
  'ada@evil.example:80',
  'ada@evil.example?x',
  'ada@evil.example#',
  'ada@a..b',
  `ada@${'a'.repeat(64)}.org`,
])('%s cannot be looked up', (email) => {
  expect(() => mailAddress(email)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('a host is within a domain only at a dot', () => {
  expect(isWithin('IMAP.example.org.', 'example.org')).toBe(true)
  expect(isWithin('example.org', 'example.org')).toBe(true)
  expect(isWithin('evilexample.org', 'example.org')).toBe(false)
  expect(isWithin('example.org.evil.net', 'example.org')).toBe(false)
})
