import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { type LabSmtp, startLabSmtp } from '../lab/smtp.ts'
import { eventually } from '../support/eventually.ts'
import { run, setUpService } from '../support/killable-service.ts'
import { sendingClient } from '../support/sending-client.ts'

/** Addresses are noted every few seconds. */
const NOTED_WITHIN_MS = 30_000
const GRACE = { name: 'Grace Hopper', address: 'grace@navy.example' }
const MARIA = { name: 'Maria Gräf', address: 'maria@example.net' }
const NOTHING = { senders: [], recipients: [], labels: [], folders: [] }

let dovecot: LabDovecot
let user: DovecotUser
let smtp: LabSmtp
beforeAll(async () => {
  dovecot = await startLabDovecot()
  user = await dovecot.addUser()
  smtp = await startLabSmtp({ tls: 'none', users: { [user.user]: user.password } })
})
afterAll(async () => {
  await smtp.stop()
  await dovecot.stop()
})

const mail = (from: string, messageId: string) =>
  `From: ${from}\r\nTo: Ada <ada@example.org>\r\nSubject: Ahoy\r\nMessage-ID: <${messageId}@navy.example>\r\n\r\nAhoy.\r\n`

test('whom mail comes from and goes to, labels and folders are suggested as they come and go', async () => {
  await dovecot.deliver(user, mail('Grace Hopper <grace@navy.example>', 'one'))
  await dovecot.deliver(user, mail('=?utf-8?q?Maria_Gr=C3=A4f?= <maria@example.net>', 'two'))
  const other = await dovecot.secondClient(user)
  await other.mailboxCreate('Grammar')
  await other.mailboxOpen('INBOX')
  await other.messageFlagsAdd('1', ['Gratitude'])

  const setup = await setUpService(dovecot, user, {
    scopes: 'mail:read mail:send accounts:read',
    smtp,
  })
  onTestFinished(setup.remove)
  const { service, api } = await run(setup)
  const client = sendingClient(() => service.url, setup.token)
  const suggested = async (prefix: string) =>
    (await api.get(`search/suggestions?${new URLSearchParams({ prefix })}`)).json()
  const expectSuggested = (prefix: string, suggestions: object) =>
    eventually(async () => expect(await suggested(prefix)).toEqual(suggestions), NOTED_WITHIN_MS)

  await expectSuggested('gra', {
    senders: expect.arrayContaining([GRACE, MARIA]),
    recipients: expect.arrayContaining([GRACE, MARIA]),
    labels: ['Gratitude'],
    folders: [{ id: expect.any(Number), account: user.email, path: 'Grammar' }],
  })
  expect(await suggested('graf mar')).toEqual({ ...NOTHING, senders: [MARIA], recipients: [MARIA] })
  expect(await suggested('navy')).toEqual({ ...NOTHING, senders: [GRACE], recipients: [GRACE] })

  const message = { subject: 'Ahoy', body: 'Ahoy.\n' }
  await client.send({ ...message, to: ['"Grover" <grover@example.net>'] })
  await client.send({ ...message, to: ['maria@example.net'] })
  const grover = { name: 'Grover', address: 'grover@example.net' }
  await expectSuggested('gro', { ...NOTHING, recipients: [grover] })
  // Whom the owner wrote to comes before who wrote.
  await eventually(async () => {
    const { recipients } = (await suggested('gra')) as { recipients: readonly object[] }
    expect(recipients).toEqual([MARIA, GRACE])
  }, NOTED_WITHIN_MS)

  await other.messageDelete('1')
  await other.mailboxDelete('Grammar')
  await eventually(async () => {
    const { senders, folders } = (await suggested('gra')) as Record<string, readonly object[]>
    expect(senders).toEqual([MARIA])
    expect(folders).toEqual([])
  }, NOTED_WITHIN_MS)
})
