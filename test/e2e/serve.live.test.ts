import { readdirSync, readFileSync, statSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { createClient } from '@libsql/client'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

function dataDirectory() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  return join(directory.path, 'data')
}

const health = async (url: string) => (await fetch(`${url}/api/health`)).status

/** Processes whose parent is `pid`. */
function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean).map(Number)
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readStat(pid))
const readStat = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ') Z '
  }
}

async function sidecarOf(service: { pid: number; stderr(): string }, runs = 1): Promise<number> {
  await eventually(async () =>
    expect(service.stderr().split('"The sidecar runs."').length - 1).toBeGreaterThanOrEqual(runs),
  )
  const [child] = childrenOf(service.pid)
  if (child === undefined) throw new Error('There is no sidecar.')
  return child
}

test('svc serve answers, with every file private to its owner', async () => {
  const dataDir = dataDirectory()
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDir } })
  await sidecarOf(service)
  expect(await health(service.url)).toBe(200)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  const modes = readdirSync(dataDir).map((name) => statSync(join(dataDir, name)).mode & 0o777)
  expect(modes.length).toBeGreaterThanOrEqual(4)
  for (const mode of modes) expect(mode).toBe(0o600)
})

test('a second svc serve on the same data directory refuses, also after the first was killed hard', async () => {
  const env = { SVC_DATA_DIR: dataDirectory() }
  const first = await startService(['serve'], { env })
  const second = await svc(['serve'], { env: { ...env, SVC_PORT: '0' } })
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toMatch(/^svc: Another svc serve is running on the data directory .*\n$/)

  first.process.kill('SIGKILL')
  await first.ended
  const third = await startService(['serve'], { env })
  expect(await health(third.url)).toBe(200)
})

test('SIGTERM ends both processes within ten seconds with exit code 0', async () => {
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDirectory() } })
  const sidecar = await sidecarOf(service)
  const startedAtMs = performance.now()
  service.process.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  expect(performance.now() - startedAtMs).toBeLessThan(10_000)
  expect(isAlive(sidecar)).toBe(false)
})

test('an interrupt ends it with exit code 130', async () => {
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDirectory() } })
  service.process.kill('SIGINT')
  expect(await service.ended).toBe(130)
})

test('a sidecar that is killed is started again while the handlers go on answering', async () => {
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDirectory() } })
  const first = await sidecarOf(service)
  process.kill(first, 'SIGKILL')
  expect(await health(service.url)).toBe(200)
  const second = await sidecarOf(service, 2)
  expect(second).not.toBe(first)
})

test('a service that is killed hard leaves no sidecar behind', async () => {
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDirectory() } })
  const sidecar = await sidecarOf(service)
  service.process.kill('SIGKILL')
  await service.ended
  await eventually(async () => expect(isAlive(sidecar)).toBe(false))
})

test('two services that start at once on a new data directory migrate it once', async () => {
  const env = { SVC_DATA_DIR: dataDirectory() }
  const services = await Promise.all(
    [1, 2, 3].map(() => startService(['serve', '--handlers-only'], { env })),
  )
  for (const { url } of services) expect(await health(url)).toBe(200)
})

test('a port in use is one clear line, and nothing was created for it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const dataDir = dataDirectory()
  const { port } = taken.address() as AddressInfo
  const env = { SVC_DATA_DIR: dataDir, SVC_PORT: String(port) }
  const result = await svc(['serve'], { env })
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `svc: Port ${port} on 127.0.0.1 is in use by another program.\n`,
  })
  expect(existsSync(join(dataDir, 'svc.db'))).toBe(false)
})

test('a damaged database is one clear line and is left as it is', async () => {
  const dataDir = dataDirectory()
  const file = join(dataDir, 'svc.db')
  await svc(['account', 'list'], { env: { SVC_DATA_DIR: dataDir } })
  writeFileSync(file, 'This is no database at all.'.repeat(1_000))
  const before = readFileSync(file)
  for (const command of [['serve'], ['sidecar'], ['account', 'list']]) {
    const result = await svc(command, { env: { SVC_DATA_DIR: dataDir, SVC_PORT: '0' } })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^svc: The database is damaged .*\n$/)
  }
  expect(readFileSync(file)).toEqual(before)
})

test('a database of a newer build is one clear line and is left as it is', async () => {
  const dataDir = dataDirectory()
  const file = join(dataDir, 'svc.db')
  await svc(['account', 'list'], { env: { SVC_DATA_DIR: dataDir } })
  const client = createClient({ url: `file:${file}` })
  await client.execute(
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 9999999999999)",
  )
  await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  client.close()
  const before = readFileSync(file)
  const result = await svc(['serve'], { env: { SVC_DATA_DIR: dataDir, SVC_PORT: '0' } })
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toMatch(/^svc: The database was written by a newer version of svc\..*\n$/)
  expect(readFileSync(file)).toEqual(before)
})

test('a wrong setting stops the start with one line, a mistyped name is a warning', async () => {
  const wrong = await svc(['serve'], { env: { SVC_DATA_DIR: dataDirectory(), SVC_PORT: 'http' } })
  expect(wrong).toEqual({
    code: 1,
    stdout: '',
    stderr: 'svc: SVC_PORT is "http", but must be a whole number from 0 to 65535.\n',
  })
  const env = { SVC_DATA_DIR: dataDirectory(), SVC_PROT: '1' }
  const service = await startService(['serve', '--handlers-only'], { env })
  expect(service.stderr()).toContain('SVC_PROT is not a setting; did you mean SVC_PORT?')
})

test('everything a service logs is one JSON object a line, from both processes', async () => {
  const service = await startService(['serve'], { env: { SVC_DATA_DIR: dataDirectory() } })
  await sidecarOf(service)
  service.process.kill('SIGTERM')
  await service.ended
  const lines = service.stderr().trim().split('\n')
  const parts = lines.map((line) => (JSON.parse(line) as { part: string }).part)
  expect(new Set(parts)).toEqual(new Set(['serve', 'sidecar']))
})
