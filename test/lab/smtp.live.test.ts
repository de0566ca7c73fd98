import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'

import { startLoopingSmtp } from '../../cli/commands/local/demo/smtp.ts'
import { startLabDovecot } from './dovecot.ts'
import { startLabSmtp } from './smtp.ts'
import type { LabSmtp, Refusals } from './smtp.ts'

const MESSAGE = { from: 'ann@example.test', to: 'bob@example.test', subject: 'Hello', text: 'Text' }

function sender(smtp: LabSmtp, options: { secure?: boolean; requireTLS?: boolean; pass?: string }) {
  const { secure = false, requireTLS = false, pass = 'secret' } = options
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure,
    requireTLS,
    auth: { user: 'sender', pass },
    tls: { ca: readFileSync(smtp.caFile) },
  })
}

test.each([
  { tls: 'starttls', client: { requireTLS: true }, secure: true },
  { tls: 'implicit', client: { secure: true }, secure: true },
  { tls: 'none', client: {}, secure: false },
] as const)('a message is accepted over $tls', async ({ tls, client, secure }) => {
  const smtp = await startLabSmtp({ tls })
  onTestFinished(() => smtp.stop())
  await sender(smtp, client).sendMail(MESSAGE)
  expect(smtp.accepted).toMatchObject([
    {
      user: 'sender',
      secure,
      smtpEnvelope: { from: 'ann@example.test', to: ['bob@example.test'] },
    },
  ])
  expect(smtp.accepted[0]?.source.toString()).toContain('Subject: Hello')
})

test.each<{ stage: string; refusals: Refusals; code: number }>([
  { stage: 'connection', refusals: { connection: { code: 554, text: 'Go away' } }, code: 554 },
  { stage: 'AUTH', refusals: { auth: { code: 454, text: 'Try later' } }, code: 454 },
  { stage: 'MAIL', refusals: { mailFrom: { code: 552, text: 'Mailbox full' } }, code: 552 },
  {
    stage: 'RCPT',
    refusals: { rcptTo: () => ({ code: 550, text: 'No such user' }) },
    code: 550,
  },
  { stage: 'DATA', refusals: { data: { code: 451, text: 'Not now' } }, code: 451 },
])('the server refuses at $stage', async ({ refusals, code }) => {
  const smtp = await startLabSmtp()
  onTestFinished(() => smtp.stop())
  smtp.refuse(refusals)
  await expect(sender(smtp, {}).sendMail(MESSAGE)).rejects.toMatchObject({ responseCode: code })
  expect(smtp.accepted).toEqual([])

  smtp.refuse({})
  await sender(smtp, {}).sendMail(MESSAGE)
  expect(smtp.accepted).toHaveLength(1)
})

test('some recipients can be refused', async () => {
  const smtp = await startLabSmtp()
  onTestFinished(() => smtp.stop())
  smtp.refuse({
    rcptTo: (address) =>
      address.startsWith('gone') ? { code: 550, text: 'No such user' } : undefined,
  })
  const sent = await sender(smtp, {}).sendMail({
    ...MESSAGE,
    to: ['bob@example.test', 'gone@example.test'],
  })
  expect(sent.rejected).toEqual(['gone@example.test'])
  expect(smtp.accepted[0]?.smtpEnvelope.to).toEqual(['bob@example.test'])
})

test('a wrong password is refused', async () => {
  const smtp = await startLabSmtp()
  onTestFinished(() => smtp.stop())
  const attempt = sender(smtp, { pass: 'wrong' }).sendMail(MESSAGE)
  await expect(attempt).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 })
})

test.each(['none', 'broken'] as const)(
  'a client that demands STARTTLS gets nowhere where it is %s',
  async (tls) => {
    const smtp = await startLabSmtp({ tls })
    onTestFinished(() => smtp.stop())
    await expect(sender(smtp, { requireTLS: true }).sendMail(MESSAGE)).rejects.toThrow()
    expect(smtp.accepted).toEqual([])
  },
)

test('what the looping server accepts arrives in the inbox of the one user', async () => {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const user = await dovecot.addUser()
  const smtp = await startLoopingSmtp(dovecot, user)
  onTestFinished(() => smtp.stop())
  const transport = (pass: string) =>
    createTransport({
      host: smtp.host,
      port: smtp.port,
      requireTLS: true,
      auth: { user: user.user, pass },
      tls: { ca: readFileSync(dovecot.certificate.caFile) },
    })
  await transport(user.password).sendMail({ ...MESSAGE, subject: 'Round trip ✓' })
  await expect(transport('wrong').sendMail(MESSAGE)).rejects.toMatchObject({ code: 'EAUTH' })

  const client = await dovecot.secondClient(user)
  await client.mailboxOpen('INBOX')
  const arrived = await client.fetchOne('1', { envelope: true })
  if (arrived === false) throw new Error('Nothing arrived.')
  expect(arrived.envelope?.subject).toBe('Round trip ✓')
  expect(client.mailbox).toMatchObject({ exists: 1 })
})
