import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { changeMessage } from '../../domain/messages/change.ts'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailServer } from '../../runtime/ports/mail-server.ts'
import { startCuttableRelay } from '../lab/cuttable-relay.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, syncedOnce, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

test('archived mail does not return to the inbox while its server does not move it yet (peer: MailFlow #267)', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const relay = await startCuttableRelay({ host: dovecot.host, port: dovecot.imapPort })
  onTestFinished(() => relay.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  for (const subject of ['one', 'two']) await client.append('INBOX', mail(subject))
  await addAccount(store, { host: relay.host, imapPort: relay.port }, user)
  const busy = { isBusy: true, refused: 0 }
  const mailServer = movingNothingWhile(busy)
  const wake = startSync(store, { clock: scaledClock(100), mailServer })
  await syncedOnce(store)
  const places = new Set<string | undefined>()
  const shows = (expected: object) =>
    eventually(async () => {
      const shown = await shownMail(store)
      places.add(shown[0]?.path)
      expect(shown).toMatchObject(expected)
    })

  const [one, two] = await shownMail(store)
  await changeMessage(
    { ...syncPorts(store), wake },
    { messageId: one?.id ?? 0, change: { moveTo: 'archive' } },
  )
  await eventually(async () => expect(busy.refused).toBeGreaterThan(0))
  // The inbox is read again: for a change, and by another connection.
  await client.mailboxOpen('INBOX')
  await client.messageFlagsAdd('1', ['\\Seen'])
  await shows([{ read: true }, { id: two?.id }])
  relay.cut()
  await client.append('INBOX', mail('three'))
  await shows([{ id: one?.id }, { id: two?.id }, { subject: 'three' }])
  busy.isBusy = false
  await eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))
  await client.append('INBOX', mail('four'))
  await shows([{ id: one?.id }, { id: two?.id }, { subject: 'three' }, { subject: 'four' }])

  expect([...places]).toEqual(['Archive'])
  expect(await client.status('Archive', { messages: true })).toMatchObject({ messages: 1 })
  expect(await client.status('INBOX', { messages: true })).toMatchObject({ messages: 3 })
  const told = (await store.read.select().from(events)).filter(
    ({ data }) => data['subject'] === 'one',
  )
  expect(told).toMatchObject([{ data: { change: 'moved', origin: 'svc' } }])
})

/** A server that says that its mailboxes are in use, as long as that is so. */
function movingNothingWhile(busy: { readonly isBusy: boolean; refused: number }): MailServer {
  const server = imapflowMailServer({ metrics: memoryMetrics() })
  const refuse = () => {
    busy.refused += 1
    const refusal = new MailServerError('refused', 'In use', { retryable: true, code: 'INUSE' })
    return Promise.reject(refusal)
  }
  return {
    async connect(settings, options) {
      const session = await server.connect(settings, options)
      return {
        ...session,
        moveMessages: (uids, path) => (busy.isBusy ? refuse() : session.moveMessages(uids, path)),
      }
    },
  }
}
