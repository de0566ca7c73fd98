import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, syncedOnce } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  // Nothing tells of other folders than the inbox.
  dovecot = await startLabDovecot({ without: ['NOTIFY'] })
})
afterAll(() => dovecot.stop())

/** A synced account of which time passes so much faster. */
async function setUp(timesFaster: number) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  await addAccount(store, dovecot, user)
  startSync(store, { clock: scaledClock(timesFaster) })
  await syncedOnce(store)
  return { store, user, client, within: (minutes: number) => (minutes * 60_000) / timesFaster }
}

test('mail that was sent elsewhere is told within a minute, though nothing else happens (peer: EmailEngine #86, #87)', async () => {
  const { store, client, within } = await setUp(15)
  await client.append('Drafts', mail('letter'), ['\\Draft', '\\Seen'])
  await client.mailboxOpen('Drafts')
  await client.messageDelete('1:*')
  await client.append('Sent', mail('letter'), ['\\Seen'])
  await eventually(async () => {
    const told = await store.read.select().from(events)
    expect(told.filter(({ kind }) => kind === 'message.sent')).toMatchObject([
      { data: { subject: 'letter' } },
    ])
  }, within(1))
})

test('what another client moves to any folder shows within a quarter of an hour (peer: EmailEngine #123)', async () => {
  const { store, user, client, within } = await setUp(150)
  await client.mailboxCreate('Elsewhere')
  await dovecot.deliver(user, mail('moved'))
  await eventually(async () => expect(await shownMail(store)).toMatchObject([{ path: 'INBOX' }]))
  await client.mailboxOpen('INBOX')
  await client.messageMove('1:*', 'Elsewhere')
  await eventually(
    async () => expect(await shownMail(store)).toMatchObject([{ path: 'Elsewhere' }]),
    within(15),
  )
})
