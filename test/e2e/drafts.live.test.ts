import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { startLabSmtp } from '../lab/smtp.ts'
import { copiesOf, published } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { run, setUpService } from '../support/killable-service.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

const ODD = 'Subject: odd\nMessage-ID: <odd@example.org>\n\nbare line feeds and \xfc\nno end'

test('a message is forwarded as a draft, published, sent, and then in Sent and no longer in Drafts', async () => {
  const user = await dovecot.addUser()
  const smtp = await startLabSmtp({ tls: 'none', users: { [user.user]: user.password } })
  onTestFinished(() => smtp.stop())
  const client = await dovecot.secondClient(user)
  await client.append('INBOX', Buffer.from(ODD, 'latin1'))
  const scopes = 'mail:send mail:read accounts:read'
  const setup = await setUpService(dovecot, user, { scopes, smtp })
  onTestFinished(setup.remove)
  const { store, token } = setup
  const running = await run(setup)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${running.service.url}/api/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  await eventually(async () => expect(await running.api.messageCount()).toBe(1))
  const [original] = await running.api.messages()
  const raw = Buffer.from(
    await (await running.api.get(`messages/${original?.id}/raw`)).arrayBuffer(),
  )

  const draft = await send('POST', `messages/${original?.id}/forward-eml`)
  expect(draft).toMatchObject({ status: 201, body: { subject: 'Fwd: odd', kind: 'forward' } })
  const path = `drafts/${String(draft.body['id'])}`
  await send('PATCH', path, { to: 'grace@example.org', bcc: 'hidden@example.org', body: 'See.' })
  // As if nobody had written for a while.
  await store.commit((write) => [write.update(drafts).set({ publishDueAt: 0 })])
  await eventually(async () => expect(await copiesOf(client)).toHaveLength(1))
  await published(store)

  const sent = await send('POST', `${path}/send`)
  expect(sent).toMatchObject({ status: 200, body: { status: 'sent' } })
  expect((await send('GET', path)).status).toBe(404)
  await eventually(async () => {
    expect(await store.read.select().from(mailboxChanges)).toEqual([])
    expect(await copiesOf(client)).toEqual([])
    const [copy, ...others] = await copiesOf(client, 'Sent')
    expect(others).toEqual([])
    expect(copy?.source).toContain(`Message-ID: <${String(sent.body['message_id'])}>`)
    expect(copy?.source).not.toContain('hidden@example.org')
    const rows = await store.read.select().from(messages)
    expect(rows.map(({ draftId }) => draftId)).toEqual([null, null])
  })
  expect(smtp.accepted).toMatchObject([
    { smtpEnvelope: { to: ['grace@example.org', 'hidden@example.org'] } },
  ])
  const rows = await store.read.select().from(messages)
  const copy = rows.find(({ id }) => id !== original?.id)
  const attached = await running.api.get(`messages/${copy?.id}/attachments/0`)
  expect(Buffer.from(await attached.arrayBuffer())).toEqual(raw)
  running.service.process.kill('SIGTERM')
  await running.service.ended
})
