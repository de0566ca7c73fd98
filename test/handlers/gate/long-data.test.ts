import { describe, expect, test } from 'vitest'
import { attachmentChunks, attachmentData } from '../../../db/schema/attachment-data.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { settledOutbox } from '../../support/settled-outbox.ts'

const SEND = '/api/v1/messages/send'
const LONG = 'QUJD'.repeat(500_000)
const FILE = { filename: 'a.bin', content_type: 'application/octet-stream', data: LONG }
const MAIL = { to: ['charles@example.com'], body: 'It runs.', attachments: [FILE] }

async function withAccount() {
  const h = await harness()
  await h.make.account({ name: 'Work', email: 'ada@example.org' })
  return h
}

const stored = (h: Harness) => h.runtime.store.read.select().from(attachmentData)
const chunks = (h: Harness) =>
  h.runtime.store.read.select({ at: attachmentChunks.position }).from(attachmentChunks)

const post = (h: Harness, body: BodyInit, headers: Record<string, string> = {}) =>
  h.api.request(SEND, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${h.secret}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body,
    duplex: 'half',
  } as RequestInit)

describe('nothing is left in the store', () => {
  test.each([
    ['another field is wrong', { ...MAIL, to: [] }],
    ['one of it is broken', { ...MAIL, attachments: [FILE, { ...FILE, data: `${LONG}?` }] }],
    ['it ends amid four characters', { ...MAIL, attachments: [{ ...FILE, data: `${LONG}A` }] }],
    ['it stands where none belongs', { ...MAIL, data: LONG }],
    [
      'there are too many',
      {
        ...MAIL,
        attachments: Array.from({ length: 101 }, () => ({ ...FILE, data: LONG.slice(0, 90_000) })),
      },
    ],
  ])('when %s', async (_what, body) => {
    await using h = await withAccount()
    const answer = await post(h, JSON.stringify(body))
    expect(answer.status).toBe(400)
    expect(await stored(h)).toEqual([])
    expect(await chunks(h)).toEqual([])
  })

  test('when the body breaks off, of which a part was stored by then', async () => {
    await using h = await withAccount()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const body = JSON.stringify(MAIL)
    const [begin] = body.split('"}]')
    const answer = post(h, readable, { 'Content-Length': String(body.length) })
    await writer.write(new TextEncoder().encode(begin))
    await expect.poll(() => chunks(h)).not.toEqual([])
    await writer.abort(new Error('The connection was cut.'))
    expect((await answer).ok).toBe(false)
    expect(await stored(h)).toEqual([])
    expect(await chunks(h)).toEqual([])
  })
})

test('a repeat leaves what it sent along no second time', async () => {
  await using h = await withAccount()
  await using _sidecar = await settledOutbox(h.runtime)
  for (let n = 0; n < 2; n += 1) {
    const answer = await post(h, JSON.stringify(MAIL), { 'Idempotency-Key': 'once' })
    expect(answer.status).toBe(200)
  }
  expect(await stored(h)).toMatchObject([{ size: 1_500_000 }])
})

test('several are told apart, and stand beside short ones', async () => {
  await using h = await withAccount()
  const short = { ...FILE, data: 'YWJj' }
  const attachments = [FILE, short, { ...FILE, data: `${LONG}QQ==` }]
  const answer = await h.send('POST', '/api/v1/drafts', { attachments })
  expect(answer.status).toBe(201)
  const { attachments: listed } = (await answer.json()) as { attachments: { size: number }[] }
  expect(listed.map(({ size }) => size)).toEqual([1_500_000, 3, 1_500_001])
})
