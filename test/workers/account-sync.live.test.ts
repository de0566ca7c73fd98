import { glob, rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { SOURCE_BYTES_MAX } from '../../runtime/ports/mail-server.ts'
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

/** Makes the folder anew with these messages, which gives it another UIDVALIDITY. */
async function recreate(client: ImapFlow, path: string, names: readonly string[]): Promise<void> {
  await client.mailboxDelete(path)
  await client.mailboxCreate(path)
  for (const subject of names) await client.append(path, mail(subject))
}

describe.each([
  ['Dovecot as it is', {}],
  ['Dovecot without CONDSTORE', { without: ['CONDSTORE', 'QRESYNC'] }],
])('%s', (_name, options) => {
  let dovecot: LabDovecot
  beforeAll(async () => {
    dovecot = await startLabDovecot(options)
  })
  afterAll(() => dovecot.stop())

  /** A mailbox of its own and an empty store to sync it into. */
  async function setUp() {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    return { store, user: await dovecot.addUser() }
  }

  test('the whole mailbox is taken in, with its folders and their roles', async () => {
    const { store, user } = await setUp()
    await seedMaildir(user, 'INBOX', generatedMailbox(150))
    await seedMaildir(user, 'Projects/2026', generatedMailbox(60))
    await addAccount(store, dovecot, user)
    const metrics = memoryMetrics()
    startSync(store, { metrics })
    await synced(store)
    await eventually(async () =>
      expect(metrics.read()).toMatchObject({
        messages_taken_in_total: 210,
        sync_passes_completed_total: 1,
      }),
    )
    const rows = await store.read.select().from(folders)
    const byPath = Object.fromEntries(
      rows.map(({ path, specialUse, total }) => [path, { specialUse, total }]),
    )
    expect(byPath).toMatchObject({
      INBOX: { specialUse: 'inbox', total: 150 },
      'Projects/2026': { specialUse: null, total: 60 },
      Sent: { specialUse: 'sent', total: 0 },
      Trash: { specialUse: 'trash' },
    })
  })

  test('mail that arrives, flags that change and mail that goes show while you watch', async () => {
    const { store, user } = await setUp()
    await dovecot.deliver(user, mail('first'))
    await addAccount(store, dovecot, user)
    startSync(store)
    await synced(store)
    expect(await subjects(store)).toEqual(['first'])

    await dovecot.deliver(user, mail('second'))
    await eventually(async () => expect(await subjects(store)).toEqual(['first', 'second']))

    const client = await dovecot.secondClient(user)
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('1', ['\\Seen', '\\Flagged', 'work'])
    await eventually(async () =>
      expect((await shownMail(store))[0]).toMatchObject({
        read: true,
        starred: true,
        labels: ['work'],
      }),
    )
    await client.messageFlagsRemove('1', ['\\Flagged'])
    await eventually(async () =>
      expect((await shownMail(store))[0]).toMatchObject({ starred: false }),
    )
    await client.messageDelete('1')
    await eventually(async () => expect(await subjects(store)).toEqual(['second']))
  })

  test('the first message of an empty folder comes, watched or not (peer: MailFlow #284)', async () => {
    const { store, user } = await setUp()
    const client = await dovecot.secondClient(user)
    for (const path of ['Away', 'Now', 'Emptied']) await client.mailboxCreate(path)
    await client.append('Emptied', mail('to go'))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    await client.mailboxOpen('Emptied')
    await client.messageDelete('1:*')
    await whileSyncing(store, async () =>
      eventually(async () => expect(await subjects(store)).toEqual([])),
    )
    await client.append('Away', mail('away'))
    await client.append('Emptied', mail('anew'))
    // Without mod-sequences other folders are looked at every ten minutes.
    startSync(store, { clock: scaledClock(300) })
    const come = (...expected: readonly string[]) =>
      eventually(async () => expect((await subjects(store)).toSorted()).toEqual(expected))
    await come('anew', 'away')
    await dovecot.deliver(user, mail('inbox'))
    await client.append('Now', mail('now'))
    await come('anew', 'away', 'inbox', 'now')
  })

  test('what happened while no sync ran is found on reconnect, and only the inbox was touched', async () => {
    const { store, user } = await setUp()
    for (const subject of ['kept', 'to go', 'to read']) await dovecot.deliver(user, mail(subject))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    const ids = new Map((await shownMail(store)).map(({ subject, id }) => [subject, id]))
    const client = await dovecot.secondClient(user)
    await client.mailboxOpen('INBOX')
    await client.messageFlagsAdd('3', ['\\Seen'])
    await client.messageDelete('2')
    await client.mailboxCreate('New folder')
    await dovecot.deliver(user, mail('new'))

    startSync(store)
    await eventually(async () => expect(await subjects(store)).toEqual(['kept', 'to read', 'new']))
    const shown = await shownMail(store)
    expect(shown.map(({ id }) => id).slice(0, 2)).toEqual([ids.get('kept'), ids.get('to read')])
    expect(shown.map(({ read }) => read)).toEqual([false, true, false])
    const paths = (await store.read.select().from(folders)).map(({ path }) => path)
    expect(paths).toContain('New folder')
  })

  test('a new UIDVALIDITY rebuilds the folder and keeps the ids', async () => {
    const { store, user } = await setUp()
    const client = await dovecot.secondClient(user)
    await client.mailboxCreate('Work')
    for (const subject of ['one', 'two', 'three']) await client.append('Work', mail(subject))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    const work = async () =>
      (await store.read.select().from(folders)).find(({ path }) => path === 'Work')
    const ids = new Map((await shownMail(store)).map(({ subject, id }) => [subject, id]))
    const before = await work()

    await recreate(client, 'Work', ['three', 'one', 'four'])
    startSync(store)
    await eventually(async () => expect(await subjects(store)).toEqual(['one', 'three', 'four']))
    expect((await work())?.uidValidity).not.toBe(before?.uidValidity)
    expect((await work())?.id).toBe(before?.id)
    const after = await shownMail(store)
    expect(after.map(({ uid }) => uid)).toEqual([2, 1, 3])
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual([ids.get('one'), ids.get('three')])
  })

  test('mod-sequences that went backwards, as after a restored backup, are not believed', async () => {
    const { store, user } = await setUp()
    for (const subject of ['one', 'two']) await dovecot.deliver(user, mail(subject))
    const client = await dovecot.secondClient(user)
    await client.mailboxOpen('INBOX')
    for (let n = 0; n < 20; n += 1) {
      await client.messageFlagsAdd('1', ['\\Flagged'])
      await client.messageFlagsRemove('1', ['\\Flagged'])
    }
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    await client.logout()
    // Dovecot keeps UIDs and UIDVALIDITY elsewhere.
    for await (const file of glob(`${user.maildir}/dovecot.index*`)) await rm(file)
    const other = await dovecot.secondClient(user)
    await other.mailboxOpen('INBOX')
    await other.messageFlagsAdd('2', ['\\Seen'])
    startSync(store)
    await eventually(async () =>
      expect((await shownMail(store)).map(({ read }) => read)).toEqual([false, true]),
    )
  })

  test('a rebuild that was cut off goes on with the next connection', async () => {
    const { store, user } = await setUp()
    for (const subject of ['one', 'two']) await dovecot.deliver(user, mail(subject))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    const before = await shownMail(store)
    // As it stands when the UIDs are gone and nothing has been found again yet.
    await store.commit((write) => [
      write.update(messages).set({ uid: null, uidValidity: null }),
      write.update(folders).set({ syncedDownToUid: sql`${folders.uidNext}` }),
    ])
    startSync(store)
    await eventually(async () => expect(await shownMail(store)).toEqual(before))
  })

  test('a message too large to be kept shows by its header, and keeps no other from coming', async () => {
    const { store, user } = await setUp()
    const header = Buffer.from(mail('huge').replace(/\r\n\r\n[^]*/, '\r\n\r\n'))
    const source = Buffer.concat([header, Buffer.alloc(SOURCE_BYTES_MAX, 'line of text\r\n')])
    await seedMaildir(user, 'INBOX', [{ source, internalDate: new Date(), flags: [] }])
    await dovecot.deliver(user, mail('small'))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    expect((await subjects(store)).toSorted()).toEqual(['huge', 'small'])
    const sizes = await store.read.select({ size: contents.size }).from(contents)
    expect(sizes.map(({ size }) => size)).toContain(source.byteLength)
  })

  test('when most of a large mailbox goes, what stays keeps its ids', async () => {
    const { store, user } = await setUp()
    await seedMaildir(user, 'INBOX', generatedMailbox(1_300))
    await addAccount(store, dovecot, user)
    const holds = (count: number) =>
      eventually(async () => expect(await shownMail(store)).toHaveLength(count), 30_000)
    await whileSyncing(store, () => holds(1_300))
    const before = new Map((await shownMail(store)).map(({ uid, id }) => [uid, id]))
    const client = await dovecot.secondClient(user)
    await client.mailboxOpen('INBOX')
    await client.messageDelete('1:1100')
    await whileSyncing(store, () => holds(200))
    await whileSyncing(store, () => synced(store))
    const after = await shownMail(store)
    expect(after).toHaveLength(200)
    for (const { uid, id } of after) expect(before.get(uid)).toBe(id)
  }, 60_000)

  test('a folder that goes takes its mail with it', async () => {
    const { store, user } = await setUp()
    await seedMaildir(user, 'Old', generatedMailbox(3))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    expect(await shownMail(store)).toHaveLength(3)
    const client = await dovecot.secondClient(user)
    await client.mailboxDelete('Old')
    startSync(store)
    await eventually(async () => expect(await shownMail(store)).toEqual([]))
    await eventually(async () => {
      const paths = (await store.read.select().from(folders)).map(({ path }) => path)
      expect(paths).not.toContain('Old')
    })
    expect(await store.read.select({ id: contents.id }).from(contents)).toEqual([])
  })
})
