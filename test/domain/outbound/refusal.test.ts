import { describe, expect, test } from 'vitest'
import { addressRefusal, urlRefusal } from '../../../domain/outbound/refusal.ts'

describe('an address', () => {
  test.each([
    '169.254.169.254',
    'fd00:ec2::254',
    '0.0.0.0',
    '224.0.0.1',
    '192.0.2.1',
    '2002:a00:1::',
  ])('%s is refused in every configuration, and the reason names its class', (address) => {
    for (const networks of ['private', 'public'] as const)
      expect(addressRefusal(address, networks)).toMatch(/is a .+ address, which is never allowed$/)
  })

  test.each(['127.0.0.1', '10.0.0.1', '192.168.0.1', '100.64.0.1', 'fd00::1', '::1'])(
    '%s is allowed unless only public networks are, and the reason names the setting',
    (address) => {
      expect(addressRefusal(address, 'private')).toBeUndefined()
      expect(addressRefusal(address, 'public')).toContain('SVC_WEBHOOK_NETWORKS=public')
    },
  )

  test('a public one is always allowed', () => {
    expect(addressRefusal('9.9.9.9', 'public')).toBeUndefined()
  })
})

describe('a URL', () => {
  test.each(['ftp://example.org/', 'file:///etc/passwd', 'data:,x', 'javascript:1'])(
    '%s is refused for its scheme',
    (url) => expect(urlRefusal(new URL(url))).toBe('only http and https are allowed'),
  )

  test.each(['https://ada@example.org/', 'https://:secret@example.org/'])(
    '%s is refused without repeating who it names',
    (url) => expect(urlRefusal(new URL(url))).toBe('a user name in the URL is not allowed'),
  )

  test('http and https are allowed', () => {
    expect(urlRefusal(new URL('http://example.org/'))).toBeUndefined()
    expect(urlRefusal(new URL('https://example.org:8443/hook?a=b'))).toBeUndefined()
  })
})
