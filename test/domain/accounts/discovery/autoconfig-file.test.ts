import { describe, expect, test } from 'vitest'
import { readAutoconfigFile } from '../../../../domain/accounts/discovery/autoconfig-file.ts'
import { mailAddress } from '../../../../domain/accounts/discovery/mail-domain.ts'

const ADA = mailAddress('Ada.L@Example.org')

const file = (servers: string, more = '') =>
  `<?xml version="1.0"?>${more}<clientConfig version="1.1"><emailProvider id="example.org">
   <domain>example.org</domain><domain>%EMAILDOMAIN%</domain>${servers}</emailProvider></clientConfig>`

const server = (kind: string, fields: Readonly<Record<string, string>>) =>
  `<${kind === 'smtp' ? 'outgoing' : 'incoming'}Server type="${kind}">${Object.entries({
    hostname: `${kind}.example.org`,
    port: '993',
    socketType: 'SSL',
    username: '%EMAILADDRESS%',
    ...fields,
  })
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</${kind === 'smtp' ? 'outgoing' : 'incoming'}Server>`

const finding = (xml: string) => readAutoconfigFile(xml, ADA)?.finding

test('gives the servers with every placeholder filled in', () => {
  const xml = file(
    server('imap', { hostname: 'mail.%EMAILDOMAIN%.', username: '%EMAILLOCALPART%' }) +
      server('smtp', { port: '587', socketType: 'STARTTLS' }),
  )
  expect(readAutoconfigFile(xml, ADA)).toEqual({
    domains: ['example.org', 'example.org'],
    finding: {
      imap: { host: 'mail.example.org', port: 993, tls: 'implicit', user: 'Ada.L' },
      smtp: { host: 'smtp.example.org', port: 587, tls: 'starttls', user: 'Ada.L@Example.org' },
    },
  })
})

test('the first secured server of its kind is taken; POP3 and plain text never are', () => {
  const xml = file(
    server('pop3', {}) +
      server('imap', { socketType: 'plain', port: '143' }) +
      server('imap', { hostname: 'second.example.org', socketType: 'STARTTLS', port: '143' }) +
      server('imap', { hostname: 'third.example.org' }),
  )
  expect(finding(xml)).toEqual({
    imap: { host: 'second.example.org', port: 143, tls: 'starttls', user: 'Ada.L@Example.org' },
  })
})

test('a server that takes OAuth2 only says so', () => {
  const xml = file(server('imap', { authentication: 'OAuth2' }))
  expect(finding(xml)?.hint).toContain('OAuth2')
})

describe('hostile and broken files', () => {
  test.each([
    ['a port out of range', { port: '99999' }],
    ['a port that is no number', { port: '993; drop' }],
    ['a host with a path', { hostname: 'evil.example/x' }],
    ['a host with a line break', { hostname: 'a&#10;b' }],
    ['a user with a line break', { username: 'a&#13;&#10;b' }],
    ['an unknown placeholder', { hostname: '%MX%.example.org' }],
    ['no host', { hostname: '' }],
    ['an unknown way to connect', { socketType: 'SSLv2' }],
  ])('a server with %s is left out', (_what, fields) => {
    expect(finding(file(server('imap', fields)))).toBeUndefined()
  })

  test('entities of their own are not expanded, and none reads a file', () => {
    const doctype =
      '<!DOCTYPE x [<!ENTITY a "evil"><!ENTITY b SYSTEM "file:///etc/passwd"><!ENTITY c "&a;&a;">]>'
    const xml = file(server('imap', { hostname: '&c;&b;.example.org' }), doctype)
    expect(JSON.stringify(readAutoconfigFile(xml, ADA) ?? '')).not.toMatch(/evil|root:/)
    expect(finding(xml)).toBeUndefined()
  })

  test.each([
    ['nothing', ''],
    ['a web page', '<!doctype html><html><body>Welcome</body></html>'],
    ['JSON', '{"clientConfig": 1}'],
    ['binary data', '\0\u0001\uFFFD<'],
    ['another root', '<autodiscover><clientConfig><emailProvider/></clientConfig></autodiscover>'],
    ['an unclosed tag', '<clientConfig'],
  ])('%s is no configuration file', (_what, xml) => {
    expect(readAutoconfigFile(xml, ADA)).toBeUndefined()
  })

  test('elements nested 80,000 deep are read without harm', () => {
    const deep = '<a>'.repeat(80_000)
    expect(finding(file(server('imap', {}) + deep))?.imap?.host).toBe('imap.example.org')
    expect(finding(file(server('imap', { hostname: deep })))).toBeUndefined()
  })

  test('names of object prototypes are only names', () => {
    const xml = file('<__proto__ polluted="1"/><incomingServer __proto__="x" type="constructor"/>')
    expect(finding(xml)).toBeUndefined()
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
