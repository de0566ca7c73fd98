import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { childOf, isRunning } from '../bench/processes.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type FailingDisk, failingDisks, prepareDisk } from '../lab/failing-disk.ts'
import { type ApiReader, apiReader } from '../support/api-reader.ts'
import { eventually } from '../support/eventually.ts'
import { startService, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

/** The heart of the sidecar has to stop, and then somebody has to look. */
const SHOWN_WITHIN_MS = 45_000
const RECOVERED_WITHIN_MS = 45_000
const WORDS = /^The (disk is full|data directory cannot be written)\. Mail comes in again /
const COMMAND_WORDS = /^svc: The (disk is full|data directory cannot be written)\./
const SECRET_TEXT = 'nobody but ada reads this'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

const mail = (name: string) =>
  `Subject: ${name}\r\nMessage-ID: <${name}@example.org>\r\n\r\n${SECRET_TEXT}\r\n`

async function setUp(disk: FailingDisk) {
  const directory = temporaryDirectory()
  const mount = join(directory.path, 'disk')
  const unavailable = prepareDisk(disk, mount)
  onTestFinished(() => {
    if (unavailable === undefined) disk.remove(mount)
    directory[Symbol.dispose]()
  })
  const dataDir = join(mount, 'data')
  return { unavailable, mount, dataDir, env: { SVC_DATA_DIR: dataDir, SVC_API_RATE_LIMIT: '0' } }
}

async function addAccount(env: Readonly<Record<string, string>>) {
  const user = await dovecot.addUser()
  for (const name of ['one', 'two', 'three']) await dovecot.deliver(user, mail(name))
  const servers = ['--imap-host', dovecot.host, '--imap-port', String(dovecot.imapPort)]
  const login = ['--imap-tls', 'none', '--imap-user', user.user, '--smtp-host', '::1']
  const options = ['--email', user.email, ...servers, ...login, '--no-test', '--password-stdin']
  const added = await svc(['account', 'add', ...options], { env, input: user.password })
  expect(added).toMatchObject({ code: 0 })
  return user
}

const subjects = async (api: ApiReader) =>
  (await api.messages()).map(({ subject }) => subject).toSorted()

/** Rows, bodies and sources: every way in which something is read. */
async function expectReadable(api: ApiReader) {
  for (const { id, subject } of await api.messages()) {
    expect(await (await api.get(`messages/${id}`)).text()).toContain(SECRET_TEXT)
    const source = await (await api.get(`messages/${id}/raw`)).text()
    expect(source.endsWith(mail(subject))).toBe(true)
  }
}

async function run(env: Readonly<Record<string, string>>) {
  const service = await startService(['serve'], { env })
  await eventually(async () => expect(service.stderr()).toContain('"The sidecar runs."'))
  const sidecar = childOf(service.pid, 'sidecar')
  if (sidecar === undefined) throw new Error('There is no sidecar.')
  return { ...service, processes: [service.pid, sidecar] }
}

async function killed({ process, processes }: Awaited<ReturnType<typeof run>>) {
  process.kill('SIGKILL')
  await eventually(async () => expect(processes.filter(isRunning)).toEqual([]))
}

async function createToken(env: Readonly<Record<string, string>>): Promise<string> {
  const options = ['--label', 'test', '--scopes', 'mail:read accounts:read']
  return (await svc(['token', 'create', ...options], { env })).stdout.trim()
}

async function integrity(dataDir: string): Promise<unknown> {
  const database = createClient({ url: `file:${join(dataDir, 'svc.db')}` })
  try {
    return (await database.execute('pragma integrity_check')).rows[0]?.['integrity_check']
  } finally {
    database.close()
  }
}

describe('mail is readable, the account says why none comes in, and then it does', () => {
  test.each(failingDisks)('$name', async (disk) => {
    const { unavailable, mount, dataDir, env } = await setUp(disk)
    if (unavailable !== undefined) {
      console.warn(`Not run on this machine: ${disk.name} (${unavailable.trim()})`)
      return
    }
    let service = await run(env)
    const user = await addAccount(env)
    const token = await createToken(env)
    let api = apiReader(service.url, token)
    await eventually(async () => expect(await api.account()).toMatchObject({ state: 'ok' }))
    expect(await subjects(api)).toEqual(['one', 'three', 'two'])

    disk.fail(mount, service.processes)
    await dovecot.deliver(user, mail('while it failed'))
    await eventually(async () => {
      expect(await api.account()).toMatchObject({
        state: 'error',
        error: expect.stringMatching(WORDS),
      })
    }, SHOWN_WITHIN_MS)
    expect(JSON.stringify(await api.account())).not.toContain(mount)
    await expectReadable(api)
    expect(service.process.exitCode).toBe(null)
    if (disk.isForAll) {
      const refused = await svc(['token', 'create', '--label', 'late'], { env })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(COMMAND_WORDS) })
      expect(refused.stderr).not.toContain(mount)
    }

    if (disk.mendsAfterEnd) await killed(service)
    disk.mend(mount, service.processes)
    if (disk.mendsAfterEnd) {
      service = await run(env)
      api = apiReader(service.url, token)
    }
    await eventually(async () => {
      expect(await api.account()).toMatchObject({ state: 'ok' })
      expect(await subjects(api)).toEqual(['one', 'three', 'two', 'while it failed'])
    }, RECOVERED_WITHIN_MS)
    await expectReadable(api)
    expect(await integrity(dataDir)).toBe('ok')
    expect(service.stderr()).not.toMatch(SECRET_TEXT)
  })
})
