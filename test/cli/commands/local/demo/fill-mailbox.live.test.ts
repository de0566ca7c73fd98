import { expect, onTestFinished, test } from 'vitest'

import { fillMailbox } from '../../../../../cli/commands/local/demo/fill-mailbox.ts'
import { nextMail } from '../../../../../cli/commands/local/demo/mails.ts'
import { startLabDovecot } from '../../../../lab/dovecot.ts'

test('the demo mailbox is what a mail client sees, and new mail is delivered into it', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser({ user: 'maya', email: 'maya@lindqvist-roth.example' })
  const filled = await fillMailbox(user, new Date())

  const client = await dovecot.secondClient(user)
  const folders = await client.list({ statusQuery: { messages: true } })
  expect(folders.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['INBOX', 'Projects/Harbour house', 'Familie & Küche']),
  )
  expect(folders.reduce((sum, { status }) => sum + (status?.messages ?? 0), 0)).toBe(filled)

  const { exists } = await client.mailboxOpen('INBOX')
  await dovecot.deliver(user, await nextMail(0, new Date()))
  await client.noop()
  const newest = await client.fetchOne('*', { envelope: true, flags: true })
  expect(newest).toMatchObject({ seq: exists + 1 })
})
