import { describe, expect, test } from 'vitest'
import { attachmentData } from '../../../db/schema/attachment-data.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { readAttachments } from '../../../domain/submission/attachment-data.ts'
import { registerSidecar } from '../../../domain/sidecars/register.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { settledOutbox } from '../../support/settled-outbox.ts'

const SEND = '/api/v1/messages/send'
const MAIL = { to: ['charles@example.com'], subject: 'The engine', body: 'It runs.' }
const MIB = 1024 * 1024

const entries = (h: Harness) => h.runtime.store.read.select().from(outbox)

async function entry(h: Harness) {
  const [only] = await entries(h)
  if (!only) throw new Error('Nothing is in the outbox.')
  return only
}

async function withAccount() {
  const h = await harness()
  await h.make.account({ name: 'Work', email: 'ada@example.org' })
  return h
}

describe('200', () => {
  test('says the Message-ID of what was sent, without brackets, under the sender’s domain', async () => {
    await using h = await withAccount()
    await using sidecar = await settledOutbox(h.runtime)
    const answer = await h.send('POST', SEND, MAIL)
    expect(answer.status).toBe(200)
    const { messageIdHeader } = await entry(h)
    expect(await answer.json()).toEqual({ status: 'sent', message_id: messageIdHeader })
    expect(messageIdHeader).toMatch(/^[0-9a-f-]{36}@example\.org$/)
    expect(sidecar.handedOver).toEqual([1])
  })

  test('names those whom the server refused while it took others', async () => {
    await using h = await withAccount()
    const refused = [{ address: 'gone@example.com', smtpCode: 550, message: 'No such user.' }]
    await using _sidecar = await settledOutbox(h.runtime, () => ({ status: 'sent', refused }))
    const answer = await h.send('POST', SEND, { ...MAIL, cc: ['gone@example.com'] })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      status: 'sent',
      refused: [{ address: 'gone@example.com', smtp_code: 550, message: 'No such user.' }],
    })
  })

  test('an outcome that comes while nobody is woken is found by looking again', async () => {
    await using h = await withAccount()
    const lossy = { ...h.runtime.wake, now: () => undefined }
    await registerSidecar(h.runtime, { id: 'x', url: 'http://127.0.0.1:1' })
    Object.assign(h.runtime, { wake: lossy })
    const answer = h.send('POST', SEND, MAIL)
    await expect.poll(() => entries(h)).toHaveLength(1)
    await h.runtime.store.commit((write) => [write.update(outbox).set({ status: 'sent' })])
    await expect
      .poll(async () => {
        h.clock.advance(500)
        return (await Promise.race([answer, Promise.resolve(undefined)]))?.status
      })
      .toBe(200)
  })

  test('keeps every part of what was written', async () => {
    await using h = await withAccount()
    await using _sidecar = await settledOutbox(h.runtime)
    const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => index % 251)
    const wrapped = Buffer.from(bytes)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\r\n')
    const answer = await h.send('POST', SEND, {
      from: 'Ada Lovelace <ada@EXAMPLE.org>',
      to: ['"Babbage, Charles" <charles@münchen.example>'],
      cc: ['用户@例え.jp'],
      bcc: ['secret@example.com'],
      reply_to: ['answers@example.org'],
      subject: 'Grüße',
      body: '**Hello**\nworld',
      mode: 'markdown',
      attachments: [
        { filename: 'Übersicht.bin', content_type: 'application/octet-stream', data: wrapped },
        { filename: 'empty.txt', content_type: 'text/plain', data: '' },
      ],
    })
    expect(answer.status).toBe(200)
    const { message } = await entry(h)
    expect(message).toEqual({
      from: { name: 'Ada Lovelace', address: 'ada@example.org' },
      to: [{ name: 'Babbage, Charles', address: 'charles@xn--mnchen-3ya.example' }],
      cc: [{ address: '用户@xn--r8jz45g.jp' }],
      bcc: [{ address: 'secret@example.com' }],
      replyTo: [{ address: 'answers@example.org' }],
      subject: 'Grüße',
      text: 'Hello\nworld',
      html: '<p><strong>Hello</strong><br />world</p>',
      references: [],
    })
    const [first, second] = await readAttachments(h.runtime, { outboxId: 1 })
    expect(first).toMatchObject({ filename: 'Übersicht.bin', size: 700_000 })
    const read: Uint8Array[] = []
    for await (const chunk of first?.content() ?? []) read.push(chunk)
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
    expect(read.length).toBeGreaterThan(2)
    expect(second).toMatchObject({ filename: 'empty.txt', size: 0 })
  })

  test('an answer goes into the conversation, from the account that got the original', async () => {
    await using h = await withAccount()
    const home = await h.make.account({ name: 'Home', email: 'ada@home.example' })
    const original = await h.make.message(await h.make.inbox(home.id), {
      source:
        'From: b@example.com\r\nSubject: Old\r\nMessage-ID: <3@x>\r\nReferences: <1@x> <2@x>\r\n\r\nHi.\r\n',
    })
    await using _sidecar = await settledOutbox(h.runtime)
    await h.send('POST', SEND, { ...MAIL, in_reply_to: original.id })
    expect(await entry(h)).toMatchObject({
      accountId: home.id,
      inReplyTo: original.id,
      message: {
        from: { address: 'ada@home.example' },
        subject: 'The engine',
        inReplyToHeader: '3@x',
        references: ['1@x', '2@x', '3@x'],
      },
    })
  })
})

describe('202', () => {
  test('a scheduled message waits in the outbox', async () => {
    await using h = await withAccount()
    const answer = await h.send('POST', SEND, { ...MAIL, schedule_at: '2026-12-24T09:00:00+01:00' })
    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({
      status: 'scheduled',
      outbox_id: 1,
      send_at: '2026-12-24T08:00:00.000Z',
    })
    expect(await entry(h)).toMatchObject({
      status: 'scheduled',
      isImmediate: false,
      nextAttemptAt: Date.parse('2026-12-24T08:00:00Z'),
      date: Date.parse('2026-12-24T08:00:00Z'),
    })
  })

  test('one of the past is due at once, and dated now', async () => {
    await using h = await withAccount()
    const answer = await h.send('POST', SEND, { ...MAIL, schedule_at: '2020-01-01T00:00:00Z' })
    expect(answer.status).toBe(202)
    const { date, nextAttemptAt } = await entry(h)
    expect(date).toBe(h.clock.now().getTime())
    expect(nextAttemptAt).toBeLessThan(date)
  })
})

describe('502', () => {
  const outcomes = [
    [
      'the server said no',
      { status: 'failed', failure: 'refused', error: '550 No.', smtpCode: 550 },
      { code: 'upstream', message: '550 No.', details: { smtp_code: 550 } },
    ],
    [
      'it could not be reached',
      { status: 'failed', failure: 'not_sent', error: 'No route.' },
      { code: 'send_failed', message: 'No route.' },
    ],
    [
      'nobody knows',
      { status: 'failed', failure: 'unknown', error: 'Outcome unknown.' },
      { code: 'send_failed', message: 'Outcome unknown.', details: { outbox_id: 1 } },
    ],
  ] as const

  test.each(outcomes)('%s', async (_what, outcome, error) => {
    await using h = await withAccount()
    await using _sidecar = await settledOutbox(h.runtime, () => outcome)
    const answer = await h.send('POST', SEND, MAIL)
    expect([answer.status, await answer.json()]).toEqual([502, { error }])
  })

  test('no sidecar runs: it is taken back at once, and never sent', async () => {
    await using h = await withAccount()
    const answer = await h.send('POST', SEND, MAIL)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { code: 'send_failed' } })
    expect((await entry(h)).status).toBe('cancelled')
  })

  test('nobody claims it within a minute: it is taken back', async () => {
    await using h = await withAccount()
    await registerSidecar(h.runtime, { id: 'idle', url: 'http://127.0.0.1:1' })
    const answer = h.send('POST', SEND, MAIL)
    await expect.poll(() => entries(h)).toHaveLength(1)
    h.clock.advance(59_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await entry(h)).status).toBe('scheduled')
    h.clock.advance(1_000)
    expect((await answer).status).toBe(502)
    expect((await entry(h)).status).toBe('cancelled')
  })

  test('somebody has claimed it and says nothing for a minute: it stays, and the outcome is pending', async () => {
    await using h = await withAccount()
    await using _sidecar = await settledOutbox(h.runtime, () => ({
      claimedBy: 'test',
      claimedUntil: Date.now() + 29_000,
    }))
    const answer = h.send('POST', SEND, MAIL)
    await expect
      .poll(async () => {
        h.clock.advance(10_000)
        return (await Promise.race([answer, Promise.resolve(undefined)]))?.status
      })
      .toBe(502)
    expect(await (await answer).json()).toMatchObject({
      error: { code: 'send_failed', details: { outbox_id: 1 } },
    })
    expect((await entry(h)).status).toBe('scheduled')
  })
})

describe('400 and 404, with the field named and nothing stored', () => {
  const attached = (attachment: object) => ({
    attachments: [
      { filename: 'a.txt', content_type: 'text/plain', data: 'YWJj' },
      { filename: 'a.txt', content_type: 'text/plain', data: 'YWJj', ...attachment },
    ],
  })
  const zeros = (bytes: number) => 'A'.repeat((bytes / 3) * 4)
  const MANY = Array.from({ length: 10_001 }, (_, index) => `user${index}@example.org`)

  test.each([
    ['to', { to: [] }],
    ['to', { to: MANY }],
    ['to', { to: MANY.slice(0, 600), bcc: MANY.slice(600, 1_001) }],
    ['to.0', { to: [''] }],
    ['to.1', { to: ['a@example.org', 'a@example.org, b@example.org'] }],
    ['to.0', { to: ['a@example.org\r\nBcc: b@example.org'] }],
    ['cc.0', { cc: ['A\u0000 <a@example.org>'] }],
    ['bcc.0', { bcc: ['a@example'] }],
    ['reply_to.0', { reply_to: ['nobody'] }],
    ['reply_to', { reply_to: MANY.slice(0, 101) }],
    ['from', { from: 'Ada\nBcc: <a@example.org>' }],
    ['from', { from: 'somebody@else.example' }],
    ['account', { account: 'None' }],
    ['subject', { subject: 'Hi\r\nBcc: b@example.org' }],
    ['subject', { subject: 'Hi\u0085' }],
    ['subject', { subject: '\ud800' }],
    ['body', { body: 'NUL\u0000' }],
    ['body', { body: 'x'.repeat(2_000_001) }],
    ['mode', { mode: 'rich' }],
    ['in_reply_to', { in_reply_to: 99 }],
    ['in_reply_to', { in_reply_to: '1' }],
    ['schedule_at', { schedule_at: 'tomorrow' }],
    ['schedule_at', { schedule_at: '2026-02-30T00:00:00Z' }],
    ['schedule_at', { schedule_at: '2026-12-24T08:00:00' }],
    ['schedule_at', { schedule_at: '2099-01-01T00:00:00Z' }],
    ['attachments.1.filename', attached({ filename: '../../etc/passwd' })],
    ['attachments.1.filename', attached({ filename: 'C:\\x' })],
    ['attachments.1.filename', attached({ filename: 'C:x' })],
    ['attachments.1.filename', attached({ filename: '..' })],
    ['attachments.1.filename', attached({ filename: '' })],
    ['attachments.1.filename', attached({ filename: 'a\r\nb' })],
    ['attachments.1.content_type', attached({ content_type: 'text' })],
    ['attachments.1.content_type', attached({ content_type: 'text/plain\r\nX: y' })],
    ['attachments.1.content_type', attached({ content_type: 'multipart/mixed; boundary=x' })],
    ['attachments.1.data', attached({ data: 'not base64!' })],
    ['attachments.1.data', attached({ data: 'YWJ' })],
    ['attachments.1.data', attached({ data: 'YW=J' })],
    ['attachments', attached({ data: zeros(26 * MIB - ((26 * MIB) % 3)) })],
  ])('%s: %#', async (field, wrong) => {
    await using h = await withAccount()
    const answer = await h.send('POST', SEND, { ...MAIL, ...wrong })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    expect(error.message).toMatch(new RegExp(`^${field}:? `))
    expect([400, 404]).toContain(answer.status)
    expect(await entries(h)).toEqual([])
    expect(await h.runtime.store.read.select().from(attachmentData)).toEqual([])
  })

  test.each([
    ['broken JSON', '{"attachments":[{"data":"'],
    ['a body over 40 MiB', `{"body":"${'x'.repeat(41 * MIB)}"}`],
    ['large data in the wrong place', `{"data":"${'QUJD'.repeat(100_000)}"}`],
  ])('%s', async (_what, body) => {
    await using h = await withAccount()
    const answer = await h.api.request(SEND, {
      method: 'POST',
      headers: { Authorization: `Bearer ${h.secret}`, 'Content-Type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
    expect(await entries(h)).toEqual([])
  })

  test('of several accounts nobody is chosen by chance', async () => {
    await using h = await withAccount()
    await h.make.account({ name: 'Home', email: 'ada@home.example' })
    const answer = await h.send('POST', SEND, MAIL)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringMatching(/^account:/) },
    })
  })

  test('an account that is being removed is not there', async () => {
    await using h = await harness()
    await h.make.account({ name: 'Work', removingSince: 1 })
    expect((await h.send('POST', SEND, { ...MAIL, account: 'Work' })).status).toBe(404)
    expect((await h.send('POST', SEND, MAIL)).status).toBe(400)
  })
})
