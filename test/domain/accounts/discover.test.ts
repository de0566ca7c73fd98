import { describe, expect, test } from 'vitest'
import { discoverServers } from '../../../domain/accounts/discover.ts'
import { PROVIDERS } from '../../../domain/accounts/discovery/providers.ts'
import { providerOfMx } from '../../../domain/accounts/discovery/provider.ts'
import { mailAddress } from '../../../domain/accounts/discovery/mail-domain.ts'
import type { Config } from '../../../runtime/ports/config.ts'
import type { ServiceRecord } from '../../../runtime/ports/dns.ts'
import type { OutboundReply } from '../../../runtime/ports/outbound.ts'

const EMAIL = 'ada@example.org'

const fileOf = (domain: string, host: string) => `<clientConfig><emailProvider>
  <domain>${domain}</domain>
  <incomingServer type="imap"><hostname>imap.${host}</hostname><port>993</port><socketType>SSL</socketType></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.${host}</hostname><port>465</port><socketType>SSL</socketType></outgoingServer>
  </emailProvider></clientConfig>`

interface World {
  /** Bodies by the start of their URL; everything else is 404. */
  readonly files?: Readonly<Record<string, string>>
  readonly mx?: readonly string[]
  readonly services?: Readonly<Record<string, readonly ServiceRecord[]>>
  /** `host:port` of mail servers. */
  readonly servers?: readonly string[]
}

function world({ files = {}, mx = [], services = {}, servers = [] }: World) {
  const asked: string[] = []
  const answer = (url: string): OutboundReply => {
    asked.push(url)
    const body = Object.entries(files).find(([start]) => url.startsWith(start))?.[1]
    return {
      status: body === undefined ? 404 : 200,
      headers: {},
      body: new TextEncoder().encode(body),
      truncated: false,
    }
  }
  return {
    asked,
    ctx: {
      config: { autoconfigDatabase: 'https://db.test/{domain}' } as Config,
      outbound: { send: ({ url }: { url: string }) => Promise.resolve(answer(url)) },
      dns: {
        mailExchangers: () => Promise.resolve({ ok: true as const, records: mx }),
        services: (name: string) =>
          Promise.resolve({ ok: true as const, records: services[name] ?? [] }),
      },
      mailProbe: {
        probe: ({ host, port }: { host: string; port: number }) =>
          Promise.resolve(
            servers.includes(`${host}:${port}`)
              ? { ok: true as const }
              : { ok: false as const, reason: 'nobody there' },
          ),
      },
    },
  }
}

test('a known provider is found without asking anybody', async () => {
  const { ctx, asked } = world({})
  const found = await discoverServers(ctx, 'ada@GMAIL.com')
  expect(found).toMatchObject({
    imap: {
      host: 'imap.gmail.com',
      port: 993,
      tls: 'implicit',
      user: 'ada@GMAIL.com',
      trusted: true,
    },
    smtp: { host: 'smtp.gmail.com', port: 465, tls: 'implicit' },
    attempts: [{ source: 'provider', outcome: 'found', detail: 'Gmail' }],
  })
  expect(found.hint).toContain('app password')
  expect(found.hint).toContain('--oauth google')
  expect(asked).toEqual([])
})

test("the domain's own file comes before everything that is looked up, and gets the address", async () => {
  const { ctx, asked } = world({
    files: { 'https://autoconfig.example.org/': fileOf('example.org', 'hoster.test') },
    mx: ['aspmx.l.google.com'],
  })
  const found = await discoverServers(ctx, EMAIL)
  expect(found.imap).toMatchObject({
    host: 'imap.hoster.test',
    source: 'autoconfig',
    trusted: true,
  })
  expect(found.attempts.map(({ source, outcome }) => `${source} ${outcome}`)).toEqual([
    'provider nothing',
    'autoconfig found',
    'autoconfig nothing',
    'mx found',
  ])
  expect(asked[0]).toContain('?emailaddress=ada%40example.org')
  expect(JSON.stringify(found.attempts)).not.toContain('emailaddress')
})

test('the database learns the domain only, and an answer for other domains counts as none', async () => {
  const wrong = world({ files: { 'https://db.test/': fileOf('example.com', 'evil.test') } })
  expect((await discoverServers(wrong.ctx, EMAIL)).imap).toBeUndefined()
  const right = world({ files: { 'https://db.test/': fileOf('example.org', 'hoster.test') } })
  const found = await discoverServers(right.ctx, EMAIL)
  expect(found.imap).toMatchObject({ source: 'database', trusted: true })
  expect(right.asked.filter((url) => url.startsWith('https://db.test'))).toEqual([
    'https://db.test/example.org',
  ])
})

describe('what the network could have forged', () => {
  const record = (host: string, port: number, more: Partial<ServiceRecord> = {}) => ({
    host,
    port,
    priority: 0,
    weight: 0,
    ...more,
  })

  test('is trusted within the domain of the address only', async () => {
    const { ctx } = world({
      services: {
        '_imaps._tcp.example.org': [record('mx.evil.test', 993)],
        '_submissions._tcp.example.org': [record('Mail.Example.org.', 465)],
      },
    })
    const found = await discoverServers(ctx, EMAIL)
    expect(found.imap).toMatchObject({ host: 'mx.evil.test', source: 'srv', trusted: false })
    expect(found.smtp).toMatchObject({ host: 'mail.example.org', source: 'srv', trusted: true })
  })

  test('a file fetched without TLS is not trusted and did not get the address', async () => {
    const { ctx, asked } = world({
      files: { 'http://autoconfig.example.org/': fileOf('example.org', 'hoster.test') },
    })
    const found = await discoverServers(ctx, EMAIL)
    expect(found.imap).toMatchObject({ source: 'plain-autoconfig', trusted: false })
    expect(asked.filter((url) => url.startsWith('http://')).join()).not.toContain('ada')
  })

  test('service records: TLS from the first byte, then the lowest priority, then the highest weight', async () => {
    const { ctx } = world({
      services: {
        '_imap._tcp.example.org': [record('never.example.org', 143)],
        '_imaps._tcp.example.org': [
          record('far.example.org', 993, { priority: 9, weight: 9 }),
          record('light.example.org', 993, { priority: 1, weight: 1 }),
          record('heavy.example.org', 994, { priority: 1, weight: 5 }),
        ],
        '_submission._tcp.example.org': [record('smtp.example.org', 587)],
      },
    })
    const found = await discoverServers(ctx, EMAIL)
    expect(found.imap).toMatchObject({ host: 'heavy.example.org', port: 994, tls: 'implicit' })
    expect(found.smtp).toMatchObject({ host: 'smtp.example.org', port: 587, tls: 'starttls' })
  })
})

test('common names fill in what no other source knew', async () => {
  const { ctx } = world({
    services: {
      '_imaps._tcp.example.org': [{ host: 'i.example.org', port: 993, priority: 0, weight: 0 }],
    },
    servers: ['mail.example.org:465', 'smtp.example.org:587', 'imap.example.org:993'],
  })
  const found = await discoverServers(ctx, EMAIL)
  expect(found.imap).toMatchObject({ host: 'i.example.org', source: 'srv' })
  expect(found.smtp).toMatchObject({ host: 'mail.example.org', port: 465, source: 'common-names' })
})

test('nothing found is said with everything that was tried, in order', async () => {
  const { ctx } = world({})
  const found = await discoverServers(ctx, EMAIL)
  expect(found.imap ?? found.smtp).toBeUndefined()
  expect([...new Set(found.attempts.map(({ source }) => source))]).toEqual([
    'provider',
    'autoconfig',
    'mx',
    'database',
    'srv',
    'plain-autoconfig',
    'common-names',
  ])
})

describe('the table of providers', () => {
  test.each([
    ['aspmx.l.google.com', 'Gmail'],
    ['example-org.mail.protection.outlook.com', 'Microsoft 365'],
    ['hotmail-com.olc.protection.outlook.com', 'Outlook.com'],
    ['mx01.mail.icloud.com', 'iCloud'],
    ['in1-smtp.messagingengine.com', 'Fastmail'],
    ['mx-aol.mail.gm0.yahoodns.net', 'AOL'],
    ['mta5.am0.yahoodns.net', 'Yahoo'],
    ['mx.zoho.eu', 'Zoho (Europe)'],
    ['mx00.kundenserver.de', 'IONOS (1&1)'],
  ])('mail taken by %s is kept by %s', (host, name) => {
    expect(providerOfMx(mailAddress(EMAIL), host)?.name).toBe(name)
  })

  test('a name that only looks like a provider is none', () => {
    expect(providerOfMx(mailAddress(EMAIL), 'evilgoogle.com')).toBeUndefined()
    expect(providerOfMx(mailAddress(EMAIL), 'google.com.evil.test')).toBeUndefined()
  })

  test('names each domain and each MX once, and every domain gives two secured servers', async () => {
    const domains = PROVIDERS.flatMap((provider) => provider.domains)
    const mx = PROVIDERS.flatMap((provider) => provider.mx)
    expect(new Set(domains).size).toBe(domains.length)
    expect(new Set(mx).size).toBe(mx.length)
    for (const domain of domains) {
      const { imap, smtp } = await discoverServers(world({}).ctx, `ada@${domain}`)
      for (const server of [imap, smtp]) {
        expect(server?.host).toMatch(/^[a-z0-9.-]+$/)
        expect(server?.port).toBeGreaterThan(0)
        expect(server?.tls).toMatch(/^(implicit|starttls)$/)
      }
    }
  })
})
