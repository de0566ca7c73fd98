import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { type Certificate, makeCertificate } from '../../cli/commands/local/demo/certificate.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { eventually } from '../support/eventually.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const MAIL = 'From: grace@example.org\r\nSubject: behind TLS\r\n\r\nText.\r\n'

const keys = async ({ certFile, keyFile }: Certificate) => ({
  cert: await readFile(certFile),
  key: await readFile(keyFile),
})

/** TLS before a server that speaks none, whose certificate can be changed while it runs. */
async function tlsBefore(port: number, certificate: Certificate) {
  const sockets = new Set<TLSSocket>()
  let bytesFromClients = 0
  const server = createServer(await keys(certificate), (socket) => {
    sockets.add(socket)
    const behind = connect(port, '127.0.0.1')
    for (const end of [socket, behind]) end.on('error', () => {})
    socket.on('data', (data) => (bytesFromClients += data.byteLength))
    socket.on('close', () => behind.destroy())
    behind.on('close', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    bytesFromClients: () => bytesFromClients,
    async change(to: Certificate) {
      server.setSecureContext(await keys(to))
      cut()
    },
  }
}

test('a certificate that changes to one nobody trusts stops the sync before a login, until it is right again', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser()
  await dovecot.deliver(user, MAIL)
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const [trusted, other] = await Promise.all(
    ['trusted', 'other'].map(async (name) => {
      const path = join(directory.path, name)
      await mkdir(path)
      return makeCertificate(path)
    }),
  )
  if (!trusted || !other) throw new Error('Two certificates were made.')
  const imap = await tlsBefore(dovecot.imapPort, trusted)

  const env = {
    SVC_DATA_DIR: join(directory.path, 'data'),
    NODE_EXTRA_CA_CERTS: trusted.caFile,
    SVC_API_RATE_LIMIT: '0',
  }
  const service = await startService(['serve'], { env })
  const servers = {
    '--email': user.email,
    '--imap-host': '127.0.0.1',
    '--imap-port': String(imap.port),
    '--imap-tls': 'implicit',
    '--imap-user': user.user,
    '--smtp-host': '127.0.0.1',
    '--smtp-port': '1',
  }
  const add = ['account', 'add', ...Object.entries(servers).flat(), '--no-test', '--password-stdin']
  expect(await svc(add, { env, input: `${user.password}\n` })).toMatchObject({ code: 0 })
  const token = await svc(
    ['token', 'create', '--label', 'test', '--scopes', 'mail:read accounts:read'],
    { env },
  )
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` }
  const data = async (path: string) => {
    const response = await fetch(`${service.url}/api/v1${path}`, { headers })
    return ((await response.json()) as { data: readonly object[] }).data
  }
  await eventually(async () => expect(await data('/messages')).toHaveLength(1), 15_000)

  await imap.change(other)
  await eventually(
    async () =>
      expect(await data('/accounts')).toMatchObject([
        { state: 'error', error: expect.stringMatching(/certificate/) },
      ]),
    15_000,
  )
  const bytes = imap.bytesFromClients()
  await dovecot.deliver(user, MAIL.replace('behind', 'again behind'))
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(imap.bytesFromClients()).toBe(bytes)
  expect(await data('/messages')).toHaveLength(1)

  await imap.change(trusted)
  await eventually(async () => expect(await data('/messages')).toHaveLength(2), 30_000)
  await eventually(
    async () => expect(await data('/accounts')).toMatchObject([{ state: 'ok' }]),
    15_000,
  )
}, 90_000)
