import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type FakedClock, fakedClock } from '../lab/faked-clock.ts'
import { apiReader, type ApiReader } from '../support/api-reader.ts'
import { eventually } from '../support/eventually.ts'
import { type RunningSvc, startService, startSvc, svc } from '../support/svc.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const HOUR_S = 3_600
const LEASE_MS = 30_000
const SYNCED_AGAIN_WITHIN_MS = LEASE_MS + 60_000

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

interface Sidecar extends RunningSvc {
  readonly id: string
}

async function startSidecar(env: Readonly<Record<string, string>>): Promise<Sidecar> {
  const sidecar = startSvc(['sidecar'], { env })
  const id = await eventually(async () => {
    const [, found] = /"sidecar":"([^"]+)"/.exec(sidecar.stderr()) ?? []
    if (found === undefined) throw new Error('The sidecar does not run yet.')
    return found
  })
  return { ...sidecar, id }
}

interface Setup {
  readonly clock: FakedClock
  readonly api: ApiReader
  readonly user: DovecotUser
  readonly sidecars: readonly Sidecar[]
  /** Who holds the account now, and every holder so far by its epoch. */
  holder(): Promise<string>
  readonly holders: ReadonlyMap<number, string>
}

/** Handlers and two sidecars on one data directory and one clock, with an account that has been synced. */
async function setUp(): Promise<Setup> {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const dataDir = join(directory.path, 'data')
  const clock = fakedClock(join(directory.path, 'clock'))
  const env = { SVC_DATA_DIR: dataDir, SVC_API_RATE_LIMIT: '0', ...clock.env }
  const user = await dovecot.addUser()
  const service = await startService(['serve', '--handlers-only'], { env })
  const sidecars = [await startSidecar(env), await startSidecar(env)]
  const servers = ['--imap-host', dovecot.host, '--imap-port', String(dovecot.imapPort)]
  const login = ['--imap-tls', 'none', '--imap-user', user.user, '--smtp-host', '::1']
  const options = ['--email', user.email, ...servers, ...login, '--no-test', '--password-stdin']
  await svc(['account', 'add', ...options], { env, input: user.password })
  const scopes = ['--scopes', 'mail:read accounts:read']
  const token = await svc(['token', 'create', '--label', 'test', ...scopes], { env })
  const api = apiReader(service.url, token.stdout.trim())
  await eventually(async () => expect(await api.isSynced()).toBe(true))

  const database = createClient({ url: `file:${join(dataDir, 'svc.db')}` })
  onTestFinished(() => database.close())
  const holders = new Map<number, string>()
  const holder = async () => {
    const { rows } = await database.execute('select sidecar_id, epoch from account_leases')
    const id = rows[0]?.['sidecar_id']
    const epoch = rows[0]?.['epoch']
    if (typeof id !== 'string' || typeof epoch !== 'number') throw new Error('Nobody holds it.')
    expect(holders.get(epoch) ?? id).toBe(id)
    holders.set(epoch, id)
    return id
  }
  return { clock, api, user, sidecars, holder, holders }
}

/** With the clock so many seconds ahead, what is delivered is there in time, and once. */
async function expectSyncing(
  setup: Setup,
  { ahead, subject }: { ahead: number; subject: string },
): Promise<void> {
  const { clock, api, user } = setup
  clock.set(ahead)
  const before = (await api.messages()).length
  await dovecot.deliver(user, `Subject: ${subject}\r\n\r\nHello.\r\n`)
  await eventually(async () => {
    await setup.holder()
    expect((await api.messages()).map((message) => message.subject)).toContain(subject)
    const { state, last_sync_at: lastSyncAt = '' } = await api.account()
    expect(state).toBe('ok')
    // By the clock that was turned: nobody synced with the old one.
    const off = Date.parse(lastSyncAt) - Date.now() - ahead * 1_000
    expect(Math.abs(off)).toBeLessThan(SYNCED_AGAIN_WITHIN_MS)
  }, SYNCED_AGAIN_WITHIN_MS)
  expect(await api.messages()).toHaveLength(before + 1)
}

test('the clock jumps an hour forwards and back: one sidecar at a time goes on syncing', async () => {
  const setup = await setUp()
  await expectSyncing(setup, { ahead: 0, subject: 'before' })
  await expectSyncing(setup, { ahead: HOUR_S, subject: 'an hour ahead' })
  await expectSyncing(setup, { ahead: 0, subject: 'back again' })
  await expectSyncing(setup, { ahead: -HOUR_S, subject: 'an hour behind' })
  for (const sidecar of setup.sidecars) expect(sidecar.process.exitCode).toBe(null)
})

test('the holder dies as the clock is turned back: the other sidecar does not wait for an hour', async () => {
  const setup = await setUp()
  const held = await setup.holder()
  const [dead] = setup.sidecars.filter(({ id }) => id === held)
  dead?.process.kill('SIGKILL')
  await dead?.ended
  await expectSyncing(setup, { ahead: -HOUR_S, subject: 'after its end' })
  expect(await setup.holder()).not.toBe(held)
  expect([...setup.holders.keys()].toSorted((a, b) => a - b)).toEqual([1, 2])
})
