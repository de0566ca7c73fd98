import { setImmediate as otherWork } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import { interactiveLanes } from '../../workers/interactive-lanes.ts'
import { addAccount, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { scriptedMailServer } from '../support/scripted-mail-server.ts'

async function setUp(login?: () => Promise<void>) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = { user: 'ada', password: 'secret', email: 'ada@example.org', maildir: '' }
  const accountId = await addAccount(store, { host: '127.0.0.1', imapPort: 143 }, user)
  const { mailServer, counts } = scriptedMailServer(login)
  const clock = fakeClock()
  const lanes = interactiveLanes(syncPorts(store, { mailServer, clock }))
  return { store, accountId, counts, clock, lanes }
}

test('whatever is asked for at once goes over one connection, one after the other', async () => {
  const { accountId, counts, lanes } = await setUp()
  let atOnce = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      lanes.use(accountId, async () => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await otherWork()
        atOnce -= 1
        return index
      }),
    ),
  )
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(most).toBe(1)
  expect(counts).toMatchObject({ connected: 1, open: 1 })
  await lanes.close()
  expect(counts.open).toBe(0)
})

test('a connection that nobody used for half a minute is closed', async () => {
  const { accountId, counts, clock, lanes } = await setUp()
  await lanes.use(accountId, async () => {})
  clock.advance(29_000)
  await lanes.use(accountId, async () => {})
  clock.advance(29_000)
  await otherWork()
  expect(counts).toMatchObject({ connected: 1, open: 1 })
  clock.advance(1_500)
  await otherWork()
  expect(counts.open).toBe(0)
})

test('a kept connection that died is made anew; one that fails for another reason is kept', async () => {
  const { accountId, counts, lanes } = await setUp()
  await lanes.use(accountId, async () => {})
  let tries = 0
  const result = await lanes.use(accountId, async () => {
    tries += 1
    if (tries === 1) throw new MailServerError('unreachable', 'gone', { retryable: true })
    return 'there'
  })
  expect(result).toBe('there')
  expect(counts).toMatchObject({ connected: 2, open: 1 })
  const refused = new MailServerError('refused', 'no such mailbox', { retryable: true })
  const failing = lanes.use(accountId, () => Promise.reject(refused))
  await expect(failing).rejects.toThrow('no such mailbox')
  await lanes.use(accountId, async () => {})
  expect(counts).toMatchObject({ connected: 2, open: 1 })
})

test('new settings mean a new connection; an account that is gone has none', async () => {
  const { store, accountId, counts, lanes } = await setUp()
  await lanes.use(accountId, async () => {})
  await store.commit((write) => [write.update(accounts).set({ sealedPassword: 'other' })])
  await lanes.use(accountId, async () => {})
  expect(counts).toMatchObject({ connected: 2, open: 1 })
  await store.commit((write) => [write.delete(accounts).where(eq(accounts.id, accountId))])
  expect(await lanes.use(accountId, async () => 'never')).toBeUndefined()
  expect(counts.open).toBe(0)
})

const until = async (check: () => boolean) => {
  for (let turn = 0; turn < 1_000 && !check(); turn += 1) await otherWork()
}

test('work on a new connection may take longer than half a minute', async () => {
  const { accountId, counts, clock, lanes } = await setUp()
  const done = Promise.withResolvers<void>()
  let isWorking = false
  const used = lanes.use(accountId, async () => {
    isWorking = true
    await done.promise
  })
  await until(() => isWorking)
  clock.advance(31_000)
  await until(() => counts.open === 0)
  expect(counts.open).toBe(1)
  done.resolve()
  await used
})

test('lanes that are closed while one connects leave no connection open', async () => {
  const login = Promise.withResolvers<void>()
  const { accountId, counts, lanes } = await setUp(() => login.promise)
  const used = lanes.use(accountId, async () => {})
  used.catch(() => undefined)
  await until(() => counts.loggingIn === 1)
  const closed = lanes.close()
  login.resolve()
  await closed
  await expect(used).rejects.toThrow('The service is stopping.')
  expect(counts.open).toBe(0)
})

test('work that is cut off by closing does not connect anew', async () => {
  const { accountId, counts, lanes } = await setUp()
  await lanes.use(accountId, async () => {})
  const cutOff = Promise.withResolvers<never>()
  let tries = 0
  const used = lanes.use(accountId, async () => {
    tries += 1
    await cutOff.promise
  })
  used.catch(() => undefined)
  await until(() => tries === 1)
  const closed = lanes.close()
  cutOff.reject(new MailServerError('unreachable', 'closed', { retryable: true }))
  await closed
  await expect(used).rejects.toThrow('The service is stopping.')
  expect(counts).toMatchObject({ connected: 1, open: 0 })
})
