import { describe, expect, onTestFinished, test } from 'vitest'
import { systemLookup } from '../../../runtime/node/guarded-lookup.ts'
import { nodeOutbound } from '../../../runtime/node/outbound.ts'
import { startDnsServer, type DnsZone } from '../../lab/dns-server.ts'
import { serve } from '../../lab/http-server.ts'

const LIMITS = { deadlineMs: 3_000, replyBytesMax: 2_048, redirectsMax: 2 }

const outbound = nodeOutbound({ networks: 'private', lookup: systemLookup })

const get = (url: string) => outbound.send({ method: 'GET', url, limits: LIMITS })

async function nameServer(zone: DnsZone) {
  const dns = await startDnsServer(zone)
  onTestFinished(dns.stop)
  return dns
}

test('asks the name service once and goes where the judged answer said', async () => {
  const url = new URL(await serve((_request, response) => response.end('in')))
  const dns = await nameServer({ a: { 'rebind.test': [['127.0.0.1'], ['169.254.169.254']] } })
  const guarded = nodeOutbound({ networks: 'private', lookup: dns.lookup })
  const request = {
    method: 'GET',
    url: `http://rebind.test:${url.port}/`,
    limits: LIMITS,
  } as const
  expect(await guarded.send(request)).toMatchObject({ status: 200 })
  expect(dns.questions).toEqual(['a rebind.test'])
})

test('judges a name again for each new connection', async () => {
  let requests = 0
  const url = new URL(
    await serve((_request, response) => {
      requests++
      response.setHeader('Connection', 'close').end()
    }),
  )
  const dns = await nameServer({ a: { 'rebind.test': [['127.0.0.1'], ['169.254.169.254']] } })
  const guarded = nodeOutbound({ networks: 'private', lookup: dns.lookup })
  const request = {
    method: 'GET',
    url: `http://rebind.test:${url.port}/`,
    limits: LIMITS,
  } as const
  expect(await guarded.send(request)).toMatchObject({ status: 200 })
  expect(await guarded.send(request)).toMatchObject({ status: null, failure: 'refused' })
  expect(requests).toBe(1)
})

test('a name that was public when it was checked does not reach a private server', async () => {
  let requests = 0
  const { port } = new URL(await serve(() => requests++))
  const dns = await nameServer({ a: { 'rebind.test': [['198.41.0.4'], ['127.0.0.1']] } })
  expect(await dns.lookup('rebind.test')).toEqual(['198.41.0.4'])
  const guarded = nodeOutbound({ networks: 'public', lookup: dns.lookup })
  const reply = await guarded.send({
    method: 'GET',
    url: `http://rebind.test:${port}/`,
    limits: LIMITS,
  })
  expect(reply).toMatchObject({ failure: 'refused' })
  expect(reply.status === null && reply.reason).toContain('SVC_WEBHOOK_NETWORKS=public')
  expect(requests).toBe(0)
})

test('one refused address in the answer refuses the name', async () => {
  const dns = await nameServer({ a: { 'mixed.test': [['127.0.0.1', '169.254.169.254']] } })
  const guarded = nodeOutbound({ networks: 'private', lookup: dns.lookup })
  const reply = await guarded.send({ method: 'GET', url: 'http://mixed.test/', limits: LIMITS })
  expect(reply).toMatchObject({ failure: 'refused' })
})

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.169.254./',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[fe80::1]/',
  'http://100.100.100.200/',
  'http://0/',
  'http://[::]/',
  'http://255.255.255.255/',
  'http://１６９.２５４.１６９.２５４/',
  'http://user:secret@127.0.0.1/',
  'ftp://127.0.0.1/',
  'http://[fe80::1%25eth0]/',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:65536/',
  'not a url',
])('%s is refused', async (url) => {
  const reply = await get(url)
  expect(reply).toMatchObject({ status: null, failure: 'refused' })
  expect(JSON.stringify(reply)).not.toContain('secret')
})

test.each([
  '127.0.0.1',
  '2130706433',
  '0177.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '10.0.0.1',
  '100.64.0.1',
])('%s is refused where only public networks are allowed', async (host) => {
  const strict = nodeOutbound({ networks: 'public', lookup: systemLookup })
  const reply = await strict.send({ method: 'GET', url: `http://${host}/`, limits: LIMITS })
  expect(reply).toMatchObject({ failure: 'refused' })
})

/** One of each class that no setting allows. */
const NEVER = [
  '169.254.0.1',
  '100.100.100.200',
  '0.0.0.0',
  '224.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'fe80::1',
  'fd00:ec2::254',
  '::',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  '2002:7f00:1::',
  '64:ff9b::7f00:1',
  '5f00::1',
  '::ffff:169.254.169.254',
]

describe.each(NEVER)('%s is refused', (address) => {
  const refused = { status: null, failure: 'refused' }

  test('as what a name leads to', async () => {
    const guarded = nodeOutbound({ networks: 'private', lookup: async () => [address] })
    const url = 'http://named.test/'
    expect(await guarded.send({ method: 'GET', url, limits: LIMITS })).toMatchObject(refused)
  })

  test('as where a redirect leads to, by itself or by a name', async () => {
    const lookup = async () => [address]
    const guarded = nodeOutbound({ networks: 'private', lookup })
    for (const host of [address.includes(':') ? `[${address}]` : address, 'named.test']) {
      const url = await serve((_request, response) =>
        response.writeHead(307, { location: `http://${host}/` }).end(),
      )
      expect(await guarded.send({ method: 'POST', url, limits: LIMITS })).toMatchObject(refused)
    }
  })
})

test.each(['127.0.0.1', '10.0.0.1', '100.64.0.1', '::1', 'fc00::1', '::ffff:10.0.0.1'])(
  'a name that leads to %s is refused where only public networks are allowed',
  async (address) => {
    const strict = nodeOutbound({ networks: 'public', lookup: async () => [address] })
    const url = 'http://named.test/'
    const reply = await strict.send({ method: 'GET', url, limits: LIMITS })
    expect(reply).toMatchObject({ status: null, failure: 'refused' })
  },
)

test('a name service that hangs is no reason to wait beyond the deadline', async () => {
  const lookup = () => Promise.withResolvers<string[]>().promise
  const guarded = nodeOutbound({ networks: 'private', lookup })
  const limits = { ...LIMITS, deadlineMs: 200 }
  const reply = await guarded.send({ method: 'GET', url: 'http://slow.test/', limits })
  expect(reply).toMatchObject({ failure: 'timeout' })
})
