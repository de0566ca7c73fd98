import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { events } from '../../db/schema/events.ts'
import { type FilterAction, type FilterCondition, filters } from '../../db/schema/filters.ts'
import { forwards } from '../../db/schema/forwards.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { notices } from '../../db/schema/notices.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { smallMail as mail } from '../support/small-mail.ts'

/** More than a peer's rules saw. */
const MANY = 1_050

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

/** An account with these messages and folders, synced, and rules for what comes now. */
async function setUp({ subjects = [], folders = [] }: { subjects?: string[]; folders?: string[] }) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  for (const subject of subjects) await client.append('INBOX', mail(subject))
  for (const folder of folders) await client.mailboxCreate(folder)
  await addAccount(store, dovecot, user)
  return { store, user, client }
}

const rule = (
  store: Store,
  position: number,
  { when, actions }: { when: readonly FilterCondition[]; actions: readonly FilterAction[] },
) =>
  store.commit((write) => [
    write.insert(filters).values({
      name: `Rule ${position}`,
      position,
      enabled: true,
      conditions: when,
      actions,
      createdAt: 0,
    }),
  ])

const told = async (store: Store) => {
  const rows = await store.read.select().from(events).orderBy(events.id)
  return rows.map(({ kind, data }) => {
    const { subject, change: what, origin } = data as Record<string, unknown>
    return [kind, subject, what, origin].filter(Boolean).join(' ')
  })
}

const subjectHas = (value: string): FilterCondition => ({ field: 'subject', op: 'contains', value })

test('rules do what they say with mail that arrives, here and on the server, and each says so once', async () => {
  const { store, user, client } = await setUp({ subjects: ['bill of old'], folders: ['Bills'] })
  await rule(store, 1, {
    when: [subjectHas('BILL'), { field: 'body', op: 'regex', value: '^Text of .*new' }],
    actions: [
      { type: 'label', arg: 'to pay' },
      { type: 'star' },
      { type: 'notify' },
      { type: 'forward', arg: 'books@example.net' },
    ],
  })
  await rule(store, 2, {
    when: [subjectHas('bill')],
    actions: [{ type: 'mark_read' }, { type: 'move', arg: 'Bills' }],
  })
  startSync(store)
  await synced(store)
  await dovecot.deliver(user, mail('bill new'))
  await eventually(async () => expect(await shownMail(store)).toHaveLength(2))
  await dovecot.deliver(user, mail('something else'))
  await eventually(async () => expect(await shownMail(store)).toHaveLength(3))
  await eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
  expect(await shownMail(store)).toMatchObject([
    { subject: 'bill of old', path: 'INBOX', read: false, labels: [] },
    { subject: 'bill new', path: 'Bills', read: true, starred: true, labels: ['to pay'] },
    { subject: 'something else', path: 'INBOX', read: false },
  ])
  await client.mailboxOpen('Bills')
  const message = await client.fetchOne('1', { flags: true, envelope: true })
  expect(message).toMatchObject({ envelope: { subject: 'bill new' } })
  expect(message && [...(message.flags ?? [])]).toEqual(
    expect.arrayContaining(['\\Seen', '\\Flagged']),
  )
  expect(await told(store)).toEqual([
    'message.received bill new',
    'message.updated bill new read svc',
    'message.updated bill new starred svc',
    'message.updated bill new labeled svc',
    'message.updated bill new moved svc',
    'message.received something else',
  ])
  expect(await store.read.select().from(notices)).toMatchObject([
    { kind: 'filter_matched', text: '"bill new" matched the rule "Rule 1".' },
  ])
  expect(await store.read.select().from(forwards)).toMatchObject([{ address: 'books@example.net' }])
})

test('mail that came while nobody was there is filtered once; what comes back is not filtered again', async () => {
  const { store, user, client } = await setUp({ subjects: ['before'], folders: ['Elsewhere'] })
  await rule(store, 1, { when: [subjectHas('')], actions: [{ type: 'star' }] })
  await whileSyncing(store, () => synced(store))
  await dovecot.deliver(user, mail('while away'))
  const starred = async () =>
    Object.fromEntries((await shownMail(store)).map((row) => [row.subject, row.starred]))
  await whileSyncing(store, () =>
    eventually(async () => expect(await starred()).toEqual({ before: false, 'while away': true })),
  )
  await whileSyncing(store, async () => {
    await eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
    await client.mailboxOpen('INBOX')
    await client.messageFlagsRemove('1:*', ['\\Flagged'])
    await eventually(async () => expect(await starred()).toMatchObject({ 'while away': false }))
    await client.messageMove('1:*', 'Elsewhere')
    await eventually(async () =>
      expect((await shownMail(store)).map(({ path }) => path)).toEqual(['Elsewhere', 'Elsewhere']),
    )
    await client.mailboxOpen('Elsewhere')
    await client.messageMove('1:*', 'INBOX')
    await eventually(async () =>
      expect((await shownMail(store)).map(({ path }) => path)).toEqual(['INBOX', 'INBOX']),
    )
  })
  expect(await starred()).toEqual({ before: false, 'while away': false })
})

test('of more than a thousand messages that come at once, each is filtered once, and no later mail waits for it (peers: MailFlow #155, mimux deadlock)', async () => {
  const { store, user, client } = await setUp({ folders: ['Sorted'] })
  await rule(store, 1, {
    when: [subjectHas('')],
    actions: [{ type: 'star' }, { type: 'move', arg: 'Sorted' }],
  })
  startSync(store)
  await synced(store)
  await seedMaildir(user, 'INBOX', generatedMailbox(MANY))
  await dovecot.deliver(user, mail('wakes the sync'))
  const sorted = async () => (await shownMail(store)).filter(({ path }) => path === 'Sorted')
  await eventually(async () => expect(await sorted()).toHaveLength(MANY + 1), 120_000)
  await dovecot.deliver(user, mail('later'))
  await eventually(async () => expect(await sorted()).toHaveLength(MANY + 2), 30_000)
  const hasSettled = async () => expect(await store.read.select().from(mailboxChanges)).toEqual([])
  await eventually(hasSettled, 120_000)
  expect(await client.status('INBOX', { messages: true })).toMatchObject({ messages: 0 })
  await client.mailboxOpen('Sorted')
  expect(await client.search({ flagged: true })).toHaveLength(MANY + 2)
  const moved = (await told(store)).filter((line) => line.endsWith('moved svc'))
  expect(moved).toHaveLength(MANY + 2)
})

test('what was forwarded before is not forwarded, and nothing goes to the account itself', async () => {
  const { store, user } = await setUp({})
  await rule(store, 1, {
    when: [subjectHas('')],
    actions: [
      { type: 'forward', arg: 'there@example.net' },
      { type: 'forward', arg: user.email.toUpperCase() },
    ],
  })
  startSync(store)
  await synced(store)
  await dovecot.deliver(user, mail('again', ['X-Svc-Forwarded-By: there@example.net']))
  await dovecot.deliver(user, mail('once'))
  await eventually(async () => expect(await shownMail(store)).toHaveLength(2))
  expect(await store.read.select().from(forwards)).toMatchObject([{ address: 'there@example.net' }])
})

test('a rule whose folder is gone leaves the message where it is, and a notice', async () => {
  const { store, user } = await setUp({})
  await rule(store, 1, { when: [subjectHas('')], actions: [{ type: 'move', arg: 'Gone' }] })
  startSync(store)
  await synced(store)
  await dovecot.deliver(user, mail('one'))
  await eventually(async () => expect(await shownMail(store)).toMatchObject([{ path: 'INBOX' }]))
  expect(await store.read.select().from(notices)).toMatchObject([
    { text: '"one" was not moved: the folder that the rule "Rule 1" names is gone.' },
  ])
})
