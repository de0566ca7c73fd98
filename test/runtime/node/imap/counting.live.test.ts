import { expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../../../runtime/node/imap/mail-server.ts'
import { type HostileImap, startHostileImap } from '../../../lab/hostile-imap.ts'

async function setUp() {
  const imap: HostileImap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const metrics = memoryMetrics()
  const mailServer = imapflowMailServer({ metrics })
  const { user, password } = imap.user
  const connect = () =>
    mailServer.connect({
      host: imap.host,
      port: imap.imapPort,
      tls: 'none',
      user,
      login: { kind: 'password', password },
    })
  return { imap, metrics, connect }
}

test('a connection is counted, with its bytes and the commands that fail', async () => {
  const { imap, metrics, connect } = await setUp()
  const session = await connect()
  await session.select('INBOX')
  expect(metrics.read()).toEqual({
    imap_connections_opened_total: 1,
    imap_received_bytes: expect.any(Number),
    imap_sent_bytes: expect.any(Number),
  })
  const before = metrics.read()['imap_received_bytes'] ?? 0
  expect(before).toBeGreaterThan(100)
  imap.behave({ answer: ({ tag }) => `${tag} NO [LIMIT] Not so fast\r\n` })
  await expect(session.select('INBOX')).rejects.toThrow(/Not so fast/)
  expect(metrics.read()).toMatchObject({
    'imap_commands_failed_total{kind="throttled"}': 1,
    imap_throttled_total: 1,
  })
  expect(metrics.read()['imap_received_bytes']).toBeGreaterThan(before)
  await session.close()
})

test.each([
  ['[AUTHENTICATIONFAILED] No', { imap_logins_refused_total: 1 }],
  ['[LIMIT] Too many connections', { imap_throttled_total: 1 }],
  ['[UNAVAILABLE] Later', {}],
])('a login that is answered NO %s is a failed connection', async (answer, more) => {
  const { imap, metrics, connect } = await setUp()
  imap.behave({
    answer: ({ command, tag }, honest) =>
      command === 'LOGIN' ? `${tag} NO ${answer}\r\n` : honest,
  })
  await expect(connect()).rejects.toMatchObject({ kind: 'auth' })
  const { imap_received_bytes: _in, imap_sent_bytes: _out, ...counted } = metrics.read()
  expect(counted).toEqual({ 'imap_connections_failed_total{kind="auth"}': 1, ...more })
})

test('a server that cannot be reached is a failed connection', async () => {
  const { imap, metrics, connect } = await setUp()
  await imap.stop()
  await expect(connect()).rejects.toMatchObject({ kind: 'unreachable' })
  expect(metrics.read()).toEqual({ 'imap_connections_failed_total{kind="unreachable"}': 1 })
})
