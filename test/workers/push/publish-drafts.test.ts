import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../../db/schema/drafts.ts'
import { leftBehind } from '../../../db/schema/left-behind.ts'
import { messages } from '../../../db/schema/messages.ts'
import { notices } from '../../../db/schema/notices.ts'
import { createDraft } from '../../../domain/drafts/create.ts'
import { deleteDraft } from '../../../domain/drafts/delete.ts'
import { updateDraft } from '../../../domain/drafts/update.ts'
import { headerBlock } from '../../../domain/mime/headers.ts'
import { acquireLease } from '../../../domain/sync/lease.ts'
import { MailServerError } from '../../../runtime/ports/mail-server-error.ts'
import type { AppendedMessage, FetchedMessage } from '../../../runtime/ports/mail-server.ts'
import { publishDrafts } from '../../../workers/push/publish-drafts.ts'
import { syncPorts } from '../../support/account-sync.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { harness } from '../../support/harness.ts'

interface ServerOptions {
  readonly hasGmailLabels?: boolean
  /** The flags that the server keeps of those it is given. */
  readonly keeps?: (flag: string) => boolean
  readonly refuses?: () => boolean
}

/** A Drafts folder on a server, without UIDPLUS. */
function draftsServer({ hasGmailLabels = false, keeps = () => true, refuses }: ServerOptions) {
  const held: (FetchedMessage & { readonly source: Uint8Array })[] = []
  const session = {
    hasGmailLabels,
    select: async () => ({ uidValidity: 1n, readOnly: false }),
    searchCopies: async ({ messageIdHeader }: { readonly messageIdHeader: string }) =>
      held
        .filter(({ source }) => new TextDecoder().decode(source).includes(messageIdHeader))
        .map(({ uid }) => uid),
    async *fetchMessages(uids: readonly number[]) {
      yield* held.filter(({ uid }) => uids.includes(uid))
    },
    async *fetchHeaders(uids: readonly number[]) {
      for (const { uid, source } of held)
        if (uids.includes(uid)) yield { uid, headersRaw: headerBlock(source) }
    },
    async append(_: string, { source: rendered, flags, internalDateMs }: AppendedMessage) {
      if (refuses?.())
        throw new MailServerError('refused', 'Quota exceeded.', {
          retryable: false,
          code: 'OVERQUOTA',
        })
      const uid = held.length + 1
      const source = rendered instanceof Uint8Array ? rendered : await buffer(rendered)
      held.push({ uid, source, flags: flags.filter(keeps), internalDateMs, size: source.length })
    },
  }
  return { held, session }
}

async function setUp(options: ServerOptions = {}) {
  const h = await harness()
  onTestFinished(h.close)
  const { store } = h.runtime
  const { id: accountId } = await h.make.account()
  const folder = await h.make.folder(accountId, { path: 'Drafts', specialUse: 'drafts' })
  const lease = await acquireLease({ store }, accountId, 'here')
  const clock = fakeClock()
  const ctx = syncPorts(store, { clock })
  const server = draftsServer(options)
  const lane = {
    lanes: {
      use: (_: number, work: (session: object) => Promise<unknown>) => work(server.session),
    },
    lease,
    turn: (work: () => Promise<unknown>) => work(),
    prompt: { now: () => {} },
  }
  /** All that is due within the time. */
  const publish = async (afterMs: number) => {
    clock.advance(afterMs)
    await publishDrafts(ctx, lane as never)
  }
  const draft = async () => (await store.read.select().from(drafts))[0]
  return { h, store, ctx, server, folder, publish, draft }
}

test('on a server that keeps no \\Draft a draft is published once', async () => {
  const { ctx, server, store, publish, draft } = await setUp({
    keeps: (flag) => flag !== '\\Draft',
  })
  const { id } = await createDraft(ctx, { subject: 'one' })
  for (const afterMs of [10_000, 10_000, 600_000]) await publish(afterMs)
  expect(server.held).toHaveLength(1)
  expect(await draft()).toMatchObject({ publishedRevision: 1, appendingRevision: null })
  await updateDraft(ctx, { id, subject: 'two' })
  for (const afterMs of [10_000, 10_000, 600_000]) await publish(afterMs)
  expect(server.held).toHaveLength(2)
  expect(await store.read.select().from(leftBehind)).toMatchObject([{ uid: 1 }])
  expect(await store.read.select().from(messages)).toMatchObject([{ uid: 2, draftId: id }])
})

test('on Gmail a draft that was deleted is remembered until a sync has found its copy', async () => {
  const { ctx, server, publish, draft } = await setUp({ hasGmailLabels: true })
  const { id } = await createDraft(ctx, { subject: 'to go' })
  await publish(10_000)
  expect(server.held).toHaveLength(1)
  await deleteDraft(ctx, { id })
  for (const afterMs of [0, 10_000, 600_000]) await publish(afterMs)
  expect(await draft()).toMatchObject({ removedAt: expect.any(Number), appendingRevision: 1 })
})

test('a draft that is deleted while nobody knows the UID of its copy does not come back', async () => {
  const { ctx, store, publish, draft } = await setUp()
  const { id } = await createDraft(ctx, { subject: 'to go' })
  await publish(10_000)
  // As after a change of UIDVALIDITY.
  await store.commit((write) => [write.update(messages).set({ uid: null, uidValidity: null })])
  await deleteDraft(ctx, { id })
  await publish(0)
  expect(await draft()).toBeUndefined()
  expect(await store.read.select().from(messages)).toEqual([])
  expect(await store.read.select().from(leftBehind)).toMatchObject([{ uid: 1 }])
})

test('the owner hears once of a draft that the server does not take, and it is published when it does', async () => {
  let isFull = true
  const { ctx, store, server, publish, draft } = await setUp({ refuses: () => isFull })
  await createDraft(ctx, { subject: 'one' })
  await publish(10_000)
  expect(await draft()).toMatchObject({ publishError: 'Quota exceeded.' })
  expect(await store.read.select().from(notices)).toEqual([])
  for (let attempt = 0; attempt < 20; attempt += 1) await publish(300_000)
  expect(await store.read.select().from(notices)).toMatchObject([
    {
      kind: 'change_refused',
      text: 'The draft "one" is kept here, but the mail server does not take it: Quota exceeded.',
    },
  ])
  isFull = false
  await publish(300_000)
  expect(server.held).toHaveLength(1)
  expect(await draft()).toMatchObject({ publishedRevision: 1, publishError: null })
})

test('while nobody knows the UID of the copy, no other is made that could not replace it', async () => {
  const { ctx, store, server, publish } = await setUp()
  const { id } = await createDraft(ctx, { subject: 'one' })
  await publish(10_000)
  // As after a change of UIDVALIDITY.
  await store.commit((write) => [write.update(messages).set({ uid: null, uidValidity: null })])
  await updateDraft(ctx, { id, subject: 'two' })
  for (const afterMs of [10_000, 10_000]) await publish(afterMs)
  expect(server.held).toHaveLength(1)
  await store.commit((write) => [write.update(messages).set({ uid: 1, uidValidity: '1' })])
  await publish(600_000)
  expect(server.held).toHaveLength(2)
  expect(await store.read.select().from(leftBehind)).toMatchObject([{ uid: 1 }])
})
