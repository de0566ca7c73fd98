import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { claimDue, type ClaimedEntry } from '../../../domain/outbox/claim.ts'
import { beginHandover, ClaimLost, renewClaims } from '../../../domain/outbox/hold-claim.ts'
import { nextDueMs } from '../../../domain/outbox/next-due.ts'
import { cancelUnclaimed } from '../../../domain/outbox/unclaimed.ts'
import { unregisterSidecar } from '../../../domain/sidecars/unregister.ts'
import { harness } from '../../support/harness.ts'
import { entries, type Queued, queueOutgoing } from '../../support/outgoing.ts'

async function setUp() {
  const h = await harness()
  onTestFinished(h.close)
  const { store, clock } = h.runtime
  const { id: accountId } = await h.make.account()
  const queue = (queued: Partial<Queued> = {}) =>
    queueOutgoing(store, { accountId, nowMs: clock.now().getTime(), ...queued })
  const claim = (sidecarId = 'here', claiming = {}) =>
    claimDue(h.runtime, {
      sidecarId,
      underway: [],
      restingAccountIds: [],
      readyAccountIds: [],
      ...claiming,
    }).then(({ claimed }) => claimed)
  const expire = () =>
    store.commit((write) => [
      write.update(outbox).set({ claimedUntil: sql`claimed_until - 31000` }),
    ])
  return { h, store, accountId, queue, claim, expire }
}

const ids = (claimed: readonly { readonly id: number }[]) => claimed.map(({ id }) => id)

const one = ([entry]: readonly ClaimedEntry[]): ClaimedEntry => {
  if (!entry) throw new Error('Nothing was claimed.')
  return entry
}

test('an entry is claimed when it is due, by one sidecar, and counts as an attempt', async () => {
  const { h, queue, claim } = await setUp()
  const nowMs = h.clock.now().getTime()
  const id = await queue({ sendAt: nowMs + 5_000 })
  expect(await claim()).toEqual([])
  expect(await nextDueMs(h.runtime)).toBe(nowMs + 5_000)
  h.clock.advance(4_999)
  expect(await claim()).toEqual([])
  h.clock.advance(1)
  expect(await nextDueMs(h.runtime)).toBeUndefined()
  expect(await claim()).toMatchObject([{ id, claimedBy: 'here', attempts: 1, status: 'scheduled' }])
  expect(await claim('there')).toEqual([])
})

test('of two sidecars that look at the same time, each entry goes to one', async () => {
  const { queue, claim } = await setUp()
  for (let count = 0; count < 3; count += 1) await queue()
  const [here, there] = await Promise.all([claim('here'), claim('there')])
  expect(new Set([...ids(here), ...ids(there)])).toEqual(new Set([1, 2, 3]))
  expect(here.length + there.length).toBe(3)
})

test('what somebody waits for overtakes what is scheduled, and always finds a place', async () => {
  const { queue, claim } = await setUp()
  for (let count = 0; count < 5; count += 1) await queue()
  const first = await claim()
  expect(ids(first)).toEqual([1, 2, 3])
  const immediate = await queue({ isImmediate: true })
  expect(ids(await claim('here', { underway: first }))).toEqual([immediate])
})

test('the backlog of one account does not hide what others have to send', async () => {
  const { h, queue, claim } = await setUp()
  for (let count = 0; count < 30; count += 1) await queue()
  const first = await claim()
  const other = await h.make.account()
  const id = await queue({ accountId: other.id })
  expect(ids(await claim('here', { underway: first }))).toEqual([id])
})

test('an account whose server rests sends only what somebody waits for', async () => {
  const { accountId, queue, claim } = await setUp()
  await queue()
  const immediate = await queue({ isImmediate: true })
  expect(ids(await claim('here', { restingAccountIds: [accountId] }))).toEqual([immediate])
})

test('where the server is ready, what somebody waits for is being sent with its claim', async () => {
  const { h, store, accountId, queue, claim } = await setUp()
  const scheduled = await queue()
  const immediate = await queue({ isImmediate: true })
  const elsewhere = await queue({ isImmediate: true, accountId: (await h.make.account()).id })
  const claimed = await claim('here', { readyAccountIds: [accountId] })
  const statuses = new Map(claimed.map(({ id, status }) => [id, status]))
  expect(statuses).toEqual(
    new Map([
      [immediate, 'sending'],
      [elsewhere, 'scheduled'],
      [scheduled, 'scheduled'],
    ]),
  )
  expect((await entries(store)).map(({ status }) => status)).toEqual([
    'scheduled',
    'sending',
    'scheduled',
  ])
})

test('a paused account sends, one that is being removed does not', async () => {
  const { store, accountId, queue, claim } = await setUp()
  await queue()
  const setAccount = (columns: Partial<typeof accounts.$inferInsert>) =>
    store.commit((write) => [write.update(accounts).set(columns).where(eq(accounts.id, accountId))])
  await setAccount({ removingSince: 1 })
  expect(await claim()).toEqual([])
  await setAccount({ removingSince: null, state: 'paused' })
  expect(ids(await claim())).toEqual([1])
})

test('a claim that was not renewed is taken over, and its holder hands nothing over any more', async () => {
  const { store, queue, claim, expire } = await setUp()
  await queue()
  const here = one(await claim('here'))
  await renewClaims({ store }, 'here', [here.id])
  expect(await claim('there')).toEqual([])
  await expire()
  const there = one(await claim('there'))
  expect(there).toMatchObject({ attempts: 2 })
  await renewClaims({ store }, 'here', [here.id])
  await expect(beginHandover({ store }, here)).rejects.toThrow(ClaimLost)
  await beginHandover({ store }, there)
  expect(await entries(store)).toMatchObject([{ status: 'sending', claimedBy: 'there' }])
  await expect(beginHandover({ store }, there)).rejects.toThrow(ClaimLost)
})

test('of a claim and a withdrawal at the same time, one wins', async () => {
  const { h, store, queue, claim } = await setUp()
  for (let count = 0; count < 20; count += 1) {
    const id = await queue({ isImmediate: true })
    const order = count % 2 === 0
    const withdraw = () => cancelUnclaimed(h.runtime, id)
    const [first, second] = await Promise.all(order ? [claim(), withdraw()] : [withdraw(), claim()])
    const claimed = [first, second].flat().filter((entry) => typeof entry === 'object')
    const isWithdrawn = [first, second].includes(true)
    expect(claimed).toHaveLength(isWithdrawn ? 0 : 1)
    const [entry] = claimed
    if (entry) await beginHandover({ store }, entry)
    expect((await entries(store)).at(-1)).toMatchObject({
      status: isWithdrawn ? 'cancelled' : 'sending',
    })
  }
})

test('a claim that expired and that nobody took over is still good', async () => {
  const { store, queue, claim, expire } = await setUp()
  await queue()
  const here = one(await claim('here'))
  await expire()
  await beginHandover({ store }, here)
  expect(await entries(store)).toMatchObject([{ status: 'sending' }])
})

test('what was withdrawn or put off since it was claimed is not handed over', async () => {
  const { store, queue, claim } = await setUp()
  const set = (columns: Partial<typeof outbox.$inferInsert>) =>
    store.commit((write) => [write.update(outbox).set(columns)])
  await queue()
  const withdrawn = one(await claim())
  await set({ status: 'cancelled' })
  await expect(beginHandover({ store }, withdrawn)).rejects.toThrow(ClaimLost)
  await set({ status: 'scheduled', sendAt: withdrawn.sendAt + 60_000 })
  await expect(beginHandover({ store }, withdrawn)).rejects.toThrow(ClaimLost)
  await set({ sendAt: withdrawn.sendAt, date: withdrawn.date + 1 })
  await expect(beginHandover({ store }, withdrawn)).rejects.toThrow(ClaimLost)
  await store.commit((write) => [write.delete(outbox)])
  await expect(beginHandover({ store }, withdrawn)).rejects.toThrow(ClaimLost)
})

test('what a sidecar that ended had claimed is free at once', async () => {
  const { h, queue, claim } = await setUp()
  await queue()
  await claim('here')
  await unregisterSidecar(h.runtime, 'here')
  expect(ids(await claim('there'))).toEqual([1])
})
