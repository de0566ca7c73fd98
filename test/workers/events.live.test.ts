import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { events } from '../../db/schema/events.ts'
import { messages } from '../../db/schema/messages.ts'
import { listWatchedFolders, watchFolders } from '../../domain/folders/watch.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import {
  addAccount,
  shownMail,
  startSync,
  subjects,
  synced,
  whileSyncing,
} from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'
import { TEST_CONFIG } from '../support/test-config.ts'

/** What was told so far, oldest first, in short. */
async function told(store: Store) {
  const rows = await store.read.select().from(events).orderBy(events.id)
  return rows.map(({ kind, data }) =>
    [kind, data['subject'] ?? data['error'], data['change'], data['origin']]
      .filter(Boolean)
      .join(' '),
  )
}

const isTold = (store: Store, expected: readonly string[]) =>
  eventually(async () => expect(await told(store)).toEqual(expected))

/** Rule 5: nothing is told before this. */
const syncedOnce = (store: Store) =>
  eventually(async () =>
    expect(await store.read.select().from(accountLeases)).toMatchObject([{ syncedOnce: true }]),
  )

describe.each([
  ['Dovecot as it is', {}],
  ['Dovecot without QRESYNC', { without: ['QRESYNC'] }],
])('%s', (_name, options) => {
  let dovecot: LabDovecot
  beforeAll(async () => {
    dovecot = await startLabDovecot(options)
  })
  afterAll(() => dovecot.stop())

  async function setUp(ready: readonly string[] = []) {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await dovecot.addUser()
    for (const subject of ready) await dovecot.deliver(user, mail(subject))
    await addAccount(store, dovecot, user)
    const client = await dovecot.secondClient(user)
    return { store, user, client }
  }

  test('a first sync is silent; mail that comes later is told once, with what it says', async () => {
    const { store, user } = await setUp(['old'])
    startSync(store)
    await syncedOnce(store)
    await dovecot.deliver(user, mail('new'))
    await isTold(store, ['message.received new'])
    const [{ data } = { data: {} }] = await store.read.select().from(events)
    const [, row] = await store.read.select().from(messages).orderBy(messages.id)
    expect(data).toEqual({
      id: row?.id,
      account: user.email,
      folder: 'INBOX',
      folder_id: row?.folderId,
      from: { name: 'Grace', address: 'grace@example.org' },
      subject: 'new',
      date: '2026-03-01T12:00:00.000Z',
      snippet: 'Text of new.',
      message_id: 'new@example.org',
    })
  })

  test('what another client does is told, each change once', async () => {
    const { store, client } = await setUp(['one', 'two', 'three'])
    startSync(store)
    await syncedOnce(store)
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen'])
    await isTold(store, ['message.updated one read external'])
    await client.messageFlagsAdd('1', ['\\Flagged', 'work'])
    await client.messageFlagsRemove('1', ['\\Seen'])
    await eventually(async () =>
      expect((await told(store)).toSorted()).toEqual([
        'message.updated one read external',
        'message.updated one starred external',
        'message.updated one unread external',
      ]),
    )
    await client.messageDelete('2')
    await eventually(async () => expect((await told(store))[3]).toBe('message.deleted two'))
    expect(await subjects(store)).toEqual(['one', 'three'])
    expect(await told(store)).toHaveLength(4)
  })

  test('mail that came while nobody was there is told once; flags of that time are not', async () => {
    const { store, user, client } = await setUp(['before'])
    await whileSyncing(store, () => syncedOnce(store))
    await dovecot.deliver(user, mail('while away'))
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen'])
    await whileSyncing(store, () => isTold(store, ['message.received while away']))
    await whileSyncing(store, () => synced(store))
    expect(await told(store)).toEqual(['message.received while away'])
    expect((await shownMail(store))[0]).toMatchObject({ read: true })
  })

  test('a folder that its owner watches is told of like the inbox', async () => {
    const { store, client } = await setUp()
    await client.mailboxCreate('Work')
    await client.append('Work', mail('plan'))
    const wake = startSync(store)
    await syncedOnce(store)
    await eventually(async () => expect(await subjects(store)).toEqual(['plan']))
    const [account] = await store.read.select().from(accounts)
    const accountId = account?.id ?? 0
    await watchFolders({ store, wake }, { accountId, watch: ['Work'], unwatch: [] })
    await client.mailboxOpen('Work')
    // The sync connects anew; changes before its next pass are not told.
    await eventually(async () =>
      expect(await store.read.select().from(accountLeases)).toMatchObject([
        { epoch: 2, syncedOnce: true },
      ]),
    )
    await client.messageFlagsAdd('1', ['\\Flagged'])
    await isTold(store, ['message.updated plan starred external'])
    await expect(
      watchFolders({ store, wake }, { accountId, watch: ['Nowhere'], unwatch: ['Work'] }),
    ).rejects.toThrow('There is no folder "Nowhere".')
    expect(await listWatchedFolders({ store }, accountId)).toContainEqual(
      expect.objectContaining({ path: 'Work', synced: true }),
    )
  })

  test('what we sent elsewhere is told as sent; other folders are not told of', async () => {
    const { store, client } = await setUp()
    startSync(store)
    await syncedOnce(store)
    await client.append('Sent', mail('sent from a phone'), ['\\Seen'])
    await client.append('Archive', mail('put away'))
    await eventually(async () => expect(await subjects(store)).toHaveLength(2))
    await isTold(store, ['message.sent sent from a phone'])
    await client.mailboxOpen('Archive')
    await client.messageFlagsAdd('1', ['\\Seen'])
    await eventually(async () =>
      expect((await shownMail(store)).every(({ read }) => read)).toBe(true),
    )
    expect(await told(store)).toHaveLength(1)
  })

  test('a burst is stored and not told; a limit of 0 tells it all', async () => {
    const ready = Array.from({ length: 6 }, (_, index) => `mail ${index}`)
    for (const [externalBurstLimit, count] of [
      [5, 0],
      [0, 6],
    ] as const) {
      const { store, client } = await setUp(ready)
      startSync(store, { config: { ...TEST_CONFIG, externalBurstLimit } })
      await syncedOnce(store)
      await client.mailboxOpen('INBOX')
      await client.messageFlagsAdd('1:*', ['\\Seen'])
      await eventually(async () =>
        expect((await shownMail(store)).every(({ read }) => read)).toBe(true),
      )
      expect(await told(store)).toHaveLength(count)
    }
  })

  test('a new UIDVALIDITY is no news', async () => {
    const { store, client } = await setUp()
    await client.mailboxDelete('Sent')
    await client.mailboxCreate('Sent')
    await client.append('Sent', mail('kept'))
    await whileSyncing(store, () => syncedOnce(store))
    await client.mailboxDelete('Sent')
    await client.mailboxCreate('Sent')
    await client.append('Sent', mail('kept'))
    await client.append('Sent', mail('moved in'))
    await whileSyncing(store, async () => {
      await eventually(async () => expect(await subjects(store)).toHaveLength(2))
      await syncedOnce(store)
    })
    expect(await told(store)).toEqual([])
  })
})

test('without CONDSTORE only what arrives is told', async () => {
  const dovecot = await startLabDovecot({ without: ['CONDSTORE', 'QRESYNC'] })
  onTestFinished(() => dovecot.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  await dovecot.deliver(user, mail('old'))
  await addAccount(store, dovecot, user)
  startSync(store)
  await syncedOnce(store)
  const client = await dovecot.secondClient(user)
  await client.mailboxOpen('INBOX')
  await client.messageFlagsAdd('1', ['\\Seen'])
  await eventually(async () => expect((await shownMail(store))[0]).toMatchObject({ read: true }))
  await dovecot.deliver(user, mail('new'))
  await isTold(store, ['message.received new'])
})

test('an error is told when an account enters it and when its reason changes, not every time', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = { user: 'ada', password: 'secret', email: 'ada@example.org' }
  await addAccount(store, { host: '127.0.0.1', imapPort: 1 }, user)
  const wake = startSync(store, { clock: scaledClock(300) })
  const errors = async () => (await told(store)).map((line) => line.replace(/ connect .*/, ''))
  await eventually(async () => expect(await errors()).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await errors()).toHaveLength(1)
  await store.commit((write) => [
    write.update(accounts).set({ imapHost: 'nowhere.invalid', settingsRevision: 2 }),
  ])
  wake.now('accounts')
  await eventually(async () => expect(await errors()).toHaveLength(2), 20_000)
})
