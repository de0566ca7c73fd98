import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { discoverServers } from '../../../domain/accounts/discover.ts'
import { nodeDns } from '../../../runtime/node/dns.ts'
import { nodeMailProbe } from '../../../runtime/node/mail-probe.ts'
import { nodeOutbound } from '../../../runtime/node/outbound.ts'
import type { Config } from '../../../runtime/ports/config.ts'
import { startDnsServer, type DnsZone } from '../../lab/dns-server.ts'

/** The real adapters on a name server of our own. The domains of `zone` have no server but that of the database. */
async function discover(email: string, zone: DnsZone, file?: string) {
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const names = await startDnsServer({ ...zone, a: { ...zone.a, 'db.test': [['127.0.0.1']] } })
  onTestFinished(() => {
    names.stop()
    http.closeAllConnections()
    http.close()
  })
  const policy = { networks: 'private', lookup: names.lookup } as const
  const ctx = {
    outbound: nodeOutbound(policy),
    mailProbe: nodeMailProbe(policy),
    dns: nodeDns([names.server]),
    config: { autoconfigDatabase: `http://db.test:${port}/{domain}` } as Config,
  }
  return { found: await discoverServers(ctx, email), asked, questions: names.questions }
}

test('service records answer through a real name server, and the common names fill the gap', async () => {
  const { found, questions } = await discover('ada@example.test', {
    srv: {
      '_imaps._tcp.example.test': [
        [20, 0, 993, 'backup.example.test'],
        [10, 5, 993, 'mail.example.test'],
      ],
      '_submissions._tcp.example.test': [[0, 0, 0, '.']],
    },
  })
  expect(found.imap).toMatchObject({ host: 'mail.example.test', port: 993, source: 'srv' })
  expect(found.smtp).toBeUndefined()
  expect(questions).toContain('srv _submission._tcp.example.test')
  expect(questions).toContain('a smtp.example.test')
})

test('the preferred MX names the provider', async () => {
  const { found, asked } = await discover('ada@example.test', {
    mx: {
      'example.test': [
        [20, 'mx.elsewhere.test'],
        [10, 'in1-smtp.messagingengine.com'],
      ],
    },
  })
  expect(found.imap).toMatchObject({ host: 'imap.fastmail.com', source: 'mx' })
  expect(asked).toEqual([])
})

test('a database answers over HTTP', async () => {
  const file = `<clientConfig><emailProvider><domain>example.test</domain>
    <incomingServer type="imap"><hostname>i.test</hostname><port>993</port><socketType>SSL</socketType></incomingServer>
    <outgoingServer type="smtp"><hostname>s.test</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
    </emailProvider></clientConfig>`
  const { found, asked } = await discover('ada@example.test', {}, file)
  expect(found).toMatchObject({
    imap: { host: 'i.test', tls: 'implicit', source: 'database' },
    smtp: { host: 's.test', tls: 'starttls', source: 'database' },
  })
  expect(asked).toEqual(['/example.test'])
})

test('a file beyond the limit is not read', async () => {
  const { found } = await discover('ada@example.test', {}, `<clientConfig>${' '.repeat(300_000)}`)
  expect(found.attempts.find(({ source }) => source === 'database')).toMatchObject({
    outcome: 'failed',
    detail: 'the file is too large',
  })
})

test('names that lead to refused addresses are not dialled', async () => {
  const { found } = await discover('ada@example.test', {
    a: {
      'autoconfig.example.test': [['169.254.169.254']],
      'imap.example.test': [['169.254.169.254']],
    },
  })
  const said = found.attempts.filter(({ detail }) => detail?.includes('is a link-local address'))
  expect(said.map(({ where }) => where)).toEqual([
    'https://autoconfig.example.test/mail/config-v1.1.xml',
    'http://autoconfig.example.test/mail/config-v1.1.xml',
    'imap.example.test:993',
    'imap.example.test:143',
  ])
})
