import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../../db/schema/accounts.ts'
import { events } from '../../../../db/schema/events.ts'
import { messages } from '../../../../db/schema/messages.ts'
import { webhookDeliveries } from '../../../../db/schema/webhooks.ts'
import { type DuePart, dueParts } from '../../../../domain/search/jobs/due.ts'
import { endAbandoned } from '../../../../domain/search/jobs/end-abandoned.ts'
import { getSearchJob } from '../../../../domain/search/jobs/get.ts'
import { beginPart, endPart, savePart } from '../../../../domain/search/jobs/part.ts'
import { startDeepSearch } from '../../../../domain/search/jobs/start.ts'
import { acquireLease, LeaseLost } from '../../../../domain/sync/lease.ts'
import { harness } from '../../../support/harness.ts'
import { webhookRows } from '../../../support/webhooks.ts'

const DONE = { warnings: [], hits: [] }

async function setUp(count = 1) {
  const h = await harness()
  onTestFinished(h.close)
  const ctx = h.runtime
  const places: { readonly inbox: Awaited<ReturnType<typeof h.make.inbox>> }[] = []
  for (let number = 0; number < count; number += 1) {
    const account = await h.make.account({ name: `A${number + 1}`, state: 'ok' })
    places.push({ inbox: await h.make.inbox(account.id) })
    await acquireLease(ctx, account.id, 'here')
  }
  const start = (wanted: Partial<Parameters<typeof startDeepSearch>[1]> = {}) =>
    startDeepSearch(ctx, { query: 'engine', limit: 100, ...wanted })
  const due = () => dueParts(ctx, 'here')
  const only = async (): Promise<DuePart> => {
    const [part] = await due()
    if (!part) throw new Error('There is nothing to search.')
    return part
  }
  const told = async () => (await ctx.store.read.select().from(events)).map(({ data }) => data)
  return { h, ctx, start, due, only, told, places }
}

test('a search has a part for each account, due where its lease is', async () => {
  const { ctx, start, due } = await setUp(3)
  const { id } = await start()
  expect(id).toMatch(/^search_[0-9a-f]{32}$/)
  expect((await due()).map(({ lease }) => lease.accountId)).toEqual([1, 2, 3])
  expect(await dueParts(ctx, 'elsewhere')).toEqual([])
  expect(await getSearchJob(ctx, id)).toEqual({
    id,
    status: 'running',
    query: 'engine',
    startedAt: ctx.clock.now().getTime(),
    warnings: [],
  })
})

test('an account or a folder confines it, and one that is paused is not asked', async () => {
  const { h, ctx, start, due } = await setUp(2)
  const folder = await h.make.folder(2)
  await start({ account: 'a2' })
  await start({ folderId: folder.id, account: 'A2' })
  expect((await due()).map(({ lease }) => lease.accountId)).toEqual([2, 2])
  const elsewhere = await start({ folderId: folder.id, account: 'A1' })
  expect(await getSearchJob(ctx, elsewhere.id)).toMatchObject({ status: 'done', results: [] })
  await ctx.store.commit((write) => [
    write.update(accounts).set({ state: 'paused' }).where(eq(accounts.id, 2)),
  ])
  const { id } = await start({ query: 'other', account: 'A2' })
  expect(await getSearchJob(ctx, id)).toMatchObject({
    status: 'done',
    warnings: ['The account “A2” is paused.'],
    results: [],
  })
  await expect(start({ query: ' \n' })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(start({ account: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(start({ folderId: 99 })).rejects.toMatchObject({ code: 'not_found' })
})

test('who asks for the same while it runs gets the same', async () => {
  const { start, due, only, ctx } = await setUp()
  const first = await start()
  const [a, b] = await Promise.all([start(), start()])
  expect([a.id, b.id]).toEqual([first.id, first.id])
  expect(await due()).toHaveLength(1)
  for (const other of [{ query: 'Engine' }, { limit: 99 }, { account: 'A1' }, { folderId: 1 }])
    expect((await start(other)).id).not.toBe(first.id)
  await endPart(ctx, await only(), DONE)
  expect((await start()).id).not.toBe(first.id)
})

test('what is asked of nobody is done at once, and told', async () => {
  const { ctx, start, told } = await setUp(0)
  const { id } = await start()
  expect(await getSearchJob(ctx, id)).toMatchObject({ status: 'done', results: [] })
  expect(await told()).toEqual([{ job_id: id, query: 'engine', results: 0 }])
})

test('the last part ends it: newest first, no more than wanted, told once', async () => {
  const { h, ctx, start, due, told, places } = await setUp(2)
  await webhookRows(ctx).create({ events: ['search.completed'] })
  const made: number[] = []
  for (const { inbox } of [...places, ...places]) made.push((await h.make.message(inbox)).id)
  const { id } = await start({ limit: 3 })
  const [one, two] = await due()
  if (!one || !two) throw new Error('Two parts are due.')

  await endPart(ctx, one, { warnings: ['One.'], hits: [made[0] ?? 0, made[2] ?? 0] })
  expect(await getSearchJob(ctx, id)).toMatchObject({ status: 'running', warnings: ['One.'] })
  expect(await told()).toEqual([])
  await endPart(ctx, two, { warnings: ['Two.'], hits: [made[1] ?? 0, made[3] ?? 0, 999] })
  await endPart(ctx, two, DONE)
  await endAbandoned(ctx, ctx.clock.now().getTime() + 1)
  const job = await getSearchJob(ctx, id)
  expect(job.results?.map((row) => row.id)).toEqual(made.toReversed().slice(0, 3))
  expect(job.warnings).toEqual([
    'More than 3 messages were found: these are the newest.',
    'One.',
    'Two.',
  ])
  expect(await told()).toEqual([{ job_id: id, query: 'engine', results: 3 }])
  expect(await ctx.store.read.select().from(webhookDeliveries)).toHaveLength(1)

  await ctx.store.commit((write) => [write.delete(messages).where(eq(messages.id, made[3] ?? 0))])
  expect((await getSearchJob(ctx, id)).results).toHaveLength(2)
})

test('progress is that of the folders that are known, and stays where the next goes on', async () => {
  const { ctx, start, only } = await setUp()
  const { id } = await start()
  const part = await only()
  const begun = await beginPart(ctx, part)
  expect(begun).toMatchObject({ attempts: 1, account: { name: 'A1' }, job: { query: 'engine' } })
  const progress = { foldersTotal: 4, foldersDone: [7, 9], shownIn: [7], warnings: ['No.'] }
  expect(await savePart(ctx, part, progress)).toBe(true)
  expect(await getSearchJob(ctx, id)).toMatchObject({
    progress: { foldersDone: 2, foldersTotal: 4 },
    warnings: ['No.'],
  })
  expect(await beginPart(ctx, await only())).toMatchObject({ attempts: 2, progress })
})

test('who lost the account writes nothing more', async () => {
  const { ctx, start, only, told } = await setUp()
  const { id } = await start()
  const part = await only()
  await acquireLease(ctx, 1, 'here')
  await expect(endPart(ctx, part, DONE)).rejects.toThrow(LeaseLost)
  await expect(beginPart(ctx, part)).rejects.toThrow(LeaseLost)
  expect(await getSearchJob(ctx, id)).toMatchObject({ status: 'running' })
  expect(await told()).toEqual([])
})

test('the newest 32 are kept, and nobody goes on with others', async () => {
  const { ctx, start, only } = await setUp()
  const { id } = await start()
  const part = await only()
  for (let number = 0; number < 31; number += 1) await start({ query: `q${number}` })
  expect(await getSearchJob(ctx, id)).toMatchObject({ id })
  await start({ query: 'one more' })
  await expect(getSearchJob(ctx, id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await beginPart(ctx, part)).toBeUndefined()
  const progress = { foldersTotal: 4, foldersDone: [], shownIn: [], warnings: [] }
  expect(await savePart(ctx, part, progress)).toBe(false)
  await endPart(ctx, part, DONE)
})

test('what nobody can do ends: of accounts that are gone, and after too long a time', async () => {
  const { h, ctx, start, told } = await setUp(2)
  const gone = await start({ account: 'A1' })
  const late = await start({ account: 'A2' })
  await ctx.store.commit((write) => [write.delete(accounts).where(eq(accounts.id, 1))])
  await endAbandoned(ctx, 0)
  expect(await getSearchJob(ctx, gone.id)).toMatchObject({ status: 'done', warnings: [] })
  expect(await getSearchJob(ctx, late.id)).toMatchObject({ status: 'running' })
  await endAbandoned(ctx, h.clock.now().getTime() + 1)
  expect(await getSearchJob(ctx, late.id)).toMatchObject({
    status: 'done',
    warnings: ['The account “A2” was not searched in time.'],
    results: [],
  })
  expect(await told()).toHaveLength(2)
})
