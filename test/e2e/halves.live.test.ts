import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startService, startSvc, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

function environment() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return { SVC_DATA_DIR: join(directory.path, 'data'), SVC_LOG_LEVEL: 'debug' }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const runs = (sidecar: { stderr(): string }) =>
  eventually(async () => expect(sidecar.stderr()).toContain('"The sidecar runs."'))

const ADD = ['account', 'add', '--email', 'a@example.com', '--no-test', '--password-stdin']
const SERVERS = ['--imap-host', '127.0.0.1', '--imap-port', '1', '--smtp-host', '127.0.0.1']

test('halves that were started apart find each other by their data directory', async () => {
  const env = environment()
  const handlers = await startService(['serve', '--handlers-only'], { env })
  const sidecar = startSvc(['sidecar'], { env })
  await runs(sidecar)
  // It was woken: it fails to reach the account's server at once, not at its next look in five seconds.
  expect(await svc([...ADD, ...SERVERS], { env, input: 'secret' })).toMatchObject({ code: 0 })
  await eventually(async () => {
    const listed = await svc(['account', 'list', '--json'], { env })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ error: /ECONNREFUSED/ }])
  }, 3_000)

  sidecar.process.kill('SIGTERM')
  expect(await sidecar.ended).toBe(0)
  expect((await fetch(`${handlers.url}/api/health`)).status).toBe(200)
})

test('a sidecar listens where SVC_SIDECAR_URL says, and halves with different secrets complain', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { ...environment(), SVC_SIDECAR_URL: url }
  const sidecar = startSvc(['sidecar'], { env })
  await runs(sidecar)
  expect((await fetch(`${url}/wakes`)).status).toBe(401)
  const other = { ...env, SVC_SIDECAR_SECRET: 'another secret altogether' }
  const handlers = await startService(['serve', '--handlers-only'], { env: other })
  await eventually(async () => expect(handlers.stderr()).toContain('SVC_SIDECAR_SECRET'))
  expect(handlers.stderr()).not.toContain('another secret altogether')
})
