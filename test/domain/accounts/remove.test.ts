import { count, eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { contents } from '../../../db/schema/contents.ts'
import { drafts } from '../../../db/schema/drafts.ts'
import { mailboxChanges } from '../../../db/schema/mailbox-changes.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { messages } from '../../../db/schema/messages.ts'
import { accountLeases } from '../../../db/schema/sidecars.ts'
import { finishRemovals } from '../../../domain/accounts/finish-removal.ts'
import { getAccountByName } from '../../../domain/accounts/get-by-name.ts'
import { listAccountSettings } from '../../../domain/accounts/list-settings.ts'
import { countAccounts, listAccounts } from '../../../domain/accounts/list.ts'
import { listSyncableAccounts } from '../../../domain/accounts/list-syncable.ts'
import { removeAccount } from '../../../domain/accounts/remove.ts'
import { updateAccount } from '../../../domain/accounts/update.ts'
import { whatGoes } from '../../../domain/accounts/what-goes.ts'
import { listFolders } from '../../../domain/folders/list-tree.ts'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { aesSecretBox } from '../../../runtime/node/secret-box.ts'
import type { Transcripts } from '../../../runtime/ports/transcripts.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { queueOutgoing } from '../../support/outgoing.ts'
import { recordingLogger } from '../../support/recording-logger.ts'

async function context() {
  const database = await temporaryStore()
  onTestFinished(() => database.remove())
  const { store } = database
  const sourceStore = memorySourceStore()
  const removed: number[] = []
  const transcripts: Transcripts = {
    of: () => () => {},
    bytes: async (accountId) => accountId * 100,
    remove: async (accountId) => void removed.push(accountId),
  }
  const secretBox = aesSecretBox(new Uint8Array(32))
  const ctx = {
    store,
    sourceStore,
    transcripts,
    secretBox,
    logger: recordingLogger(),
    wake: memoryWake(),
  }
  const left = async (table: typeof accounts | typeof messages | typeof contents) => {
    const [row] = await store.read.select({ total: count() }).from(table)
    return row?.total
  }
  return { ...ctx, make: factories(store, sourceStore), left, removed }
}

/** An account whose removal ends with its process, so many sources into it. */
async function cutShort(deletions: number) {
  const ctx = await context()
  const account = await ctx.make.account({ name: 'Ada' })
  const inbox = await ctx.make.inbox(account.id)
  for (let n = 0; n < 120; n += 1) await ctx.make.message(inbox)
  const hashes = await ctx.store.read.select({ hash: contents.sourceHash }).from(contents)
  let count = 0
  const dying = async (hash: string) => {
    count += 1
    if (count > deletions) throw new Error('killed')
    await ctx.sourceStore.delete(hash)
  }
  const removal = removeAccount(
    { ...ctx, sourceStore: { ...ctx.sourceStore, delete: dying } },
    { id: account.id },
  )
  await expect(removal).rejects.toThrow('killed')
  const isAbandoned = () =>
    ctx.store.transaction((tx) => tx.update(accountLeases).set({ expiresAt: 0 }))
  return { ...ctx, account, hashes: hashes.map(({ hash }) => hash), isAbandoned }
}

test('what goes with an account is counted for it alone', async () => {
  const ctx = await context()
  const [gone, kept] = [await ctx.make.account(), await ctx.make.account()]
  const [goneInbox, keptInbox] = [await ctx.make.inbox(gone.id), await ctx.make.inbox(kept.id)]
  for (let n = 0; n < 3; n += 1) await ctx.make.message(goneInbox)
  await ctx.make.message(keptInbox)
  const text = { to: '', cc: '', bcc: '', subject: '', body: '' }
  await ctx.store.transaction(async (tx) => {
    await tx.insert(drafts).values({
      ...text,
      accountId: gone.id,
      kind: 'new',
      mode: 'plain',
      messageIdHeader: 'draft@example.org',
      updatedAt: 0,
    })
    const change = { kind: 'flags' as const, change: {}, nextAttemptAt: 0, createdAt: 0 }
    await tx.insert(mailboxChanges).values([
      { ...change, accountId: gone.id },
      { ...change, accountId: gone.id },
      { ...change, accountId: kept.id },
    ])
  })
  const nowMs = 1
  await queueOutgoing(ctx.store, { accountId: gone.id, nowMs })
  await queueOutgoing(ctx.store, { accountId: gone.id, nowMs })
  await queueOutgoing(ctx.store, { accountId: kept.id, nowMs })
  await ctx.store.transaction((tx) =>
    tx.update(outbox).set({ status: 'sent' }).where(eq(outbox.id, 1)),
  )
  expect(await whatGoes(ctx, gone.id)).toEqual({
    messages: 3,
    drafts: 1,
    unsentMessages: 1,
    unsentChanges: 2,
    transcriptBytes: 100,
  })
})

test('an account whose removal was cut short is seen nowhere, and its name is free', async () => {
  const ctx = await cutShort(60)
  expect(await ctx.left(accounts)).toBe(1)
  expect(await ctx.left(messages)).toBeGreaterThan(0)

  expect(await listAccountSettings(ctx)).toEqual([])
  expect(await listAccounts(ctx)).toEqual([])
  expect(await countAccounts(ctx)).toBe(0)
  expect(await listFolders(ctx, {})).toEqual([])
  expect(await listSyncableAccounts(ctx)).toEqual([])
  const { id } = ctx.account
  const notFound = { code: 'not_found' }
  await expect(getAccountByName(ctx, 'Ada')).rejects.toMatchObject(notFound)
  await expect(getAccountByName(ctx, String(id))).rejects.toMatchObject(notFound)
  await expect(updateAccount(ctx, { id, name: 'Back' })).rejects.toMatchObject(notFound)
  await expect(removeAccount(ctx, { id })).rejects.toMatchObject(notFound)
  expect(await ctx.make.account({ name: 'Ada' })).toMatchObject({ name: 'Ada' })
})

test.each([0, 1, 49, 50, 75, 119])(
  'a removal that was cut short after %d sources is finished, and nothing is left',
  async (deletions) => {
    const ctx = await cutShort(deletions)
    const other = await ctx.make.account()
    const kept = await ctx.make.message(await ctx.make.inbox(other.id))
    await ctx.isAbandoned()
    await finishRemovals(ctx)
    expect(await ctx.store.read.select().from(accounts)).toMatchObject([{ id: other.id }])
    expect(await ctx.store.read.select().from(messages)).toMatchObject([{ id: kept.id }])
    expect(await ctx.left(contents)).toBe(1)
    for (const hash of ctx.hashes) expect(await ctx.sourceStore.get(hash)).toBeUndefined()
    expect(ctx.removed).toEqual([ctx.account.id])
  },
)

test('a removal that still runs is left to its process', async () => {
  const ctx = await cutShort(60)
  const before = await ctx.left(messages)
  await finishRemovals(ctx)
  expect(await ctx.left(messages)).toBe(before)
})

test('an account that nobody removes is never finished off', async () => {
  const ctx = await context()
  const { id } = await ctx.make.account()
  await ctx.store.transaction((tx) =>
    tx.insert(accountLeases).values({ accountId: id, sidecarId: 'gone', epoch: 1, expiresAt: 0 }),
  )
  await finishRemovals(ctx)
  expect(await ctx.store.read.select().from(accounts).where(eq(accounts.id, id))).toHaveLength(1)
})

test('a removal from before the clock was turned back is finished', async () => {
  const ctx = await cutShort(60)
  const expiresAt = Date.now() + 3_600_000
  await ctx.store.transaction((tx) => tx.update(accountLeases).set({ expiresAt }))
  await finishRemovals(ctx)
  expect(await ctx.left(accounts)).toBe(0)
})

test('a removal ends early when its process is to end', async () => {
  const ctx = await cutShort(0)
  await ctx.isAbandoned()
  const ended = new AbortController()
  const ending = async (hash: string) => {
    ended.abort()
    await ctx.sourceStore.delete(hash)
  }
  const sourceStore = { ...ctx.sourceStore, delete: ending }
  await finishRemovals({ ...ctx, sourceStore }, ended.signal)
  expect(await ctx.left(messages)).toBe(70)
})

test('a removal that fails keeps no other waiting', async () => {
  const ctx = await cutShort(0)
  const other = await ctx.make.account({ removingSince: 1 })
  await ctx.store.transaction((tx) =>
    tx
      .insert(accountLeases)
      .values({ accountId: other.id, sidecarId: 'removal', epoch: 1, expiresAt: 0 }),
  )
  await ctx.isAbandoned()
  const failing = () => Promise.reject(new Error('The disk is broken.'))
  await finishRemovals({ ...ctx, sourceStore: { ...ctx.sourceStore, delete: failing } })
  expect(await ctx.store.read.select({ id: accounts.id }).from(accounts)).toEqual([
    { id: ctx.account.id },
  ])
  expect(ctx.logger.lines).toHaveLength(1)
})
