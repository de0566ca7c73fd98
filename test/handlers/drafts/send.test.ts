import { describe, expect, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { harness, type Harness } from '../../support/harness.ts'
import { settledOutbox } from '../../support/settled-outbox.ts'

const SEND = '/api/v1/drafts/1/send'
const DRAFT = { to: 'Jane <jane@example.org>', subject: 'Hello', body: 'Hi.' }

const post = async (
  h: Harness,
  path: string,
  { key, body }: { key?: string; body?: object } = {},
) =>
  h.api.request(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${h.secret}`,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

async function withDraft(draft: object = DRAFT) {
  const h = await harness()
  await h.make.account({ name: 'Work' })
  await post(h, '/api/v1/drafts', { body: draft })
  return h
}

test('200: without a body it is sent now', async () => {
  await using h = await withDraft()
  await using _sidecar = await settledOutbox(h.runtime)
  const answer = await post(h, SEND)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'sent', message_id: expect.any(String) })
})

test('200: with an empty body that is said to be JSON it is sent now', async () => {
  await using h = await withDraft()
  await using _sidecar = await settledOutbox(h.runtime)
  const answer = await h.api.request(SEND, {
    method: 'POST',
    headers: { Authorization: `Bearer ${h.secret}`, 'Content-Type': 'application/json' },
  })
  expect(answer.status).toBe(200)
})

test('202: scheduled', async () => {
  await using h = await withDraft()
  const at = '2026-12-24T08:00:00.000Z'
  const answer = await post(h, SEND, { body: { schedule_at: at } })
  expect(answer.status).toBe(202)
  expect(await answer.json()).toEqual({ status: 'scheduled', outbox_id: 1, send_at: at })
  const changed = await h.send('PATCH', '/api/v1/drafts/1', { subject: 'x' })
  expect(changed.status).toBe(400)
})

describe('400', () => {
  test.each([
    ['nobody', { subject: 'x' }, 'to'],
    ['half an address', { to: 'jane' }, 'to'],
  ])('%s', async (_, draft, field) => {
    await using h = await withDraft(draft)
    const answer = await post(h, SEND)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining(field) },
    })
    expect(await h.runtime.store.read.select().from(outbox)).toEqual([])
  })
})

test('404: an unknown draft', async () => {
  await using h = await harness()
  expect((await post(h, SEND)).status).toBe(404)
})

describe('Idempotency-Key', () => {
  test('a repeat of the creation of a draft gets the same answer, and creates none', async () => {
    await using h = await harness()
    const first = await post(h, '/api/v1/drafts', { key: 'k', body: DRAFT })
    const again = await post(h, '/api/v1/drafts', { key: 'k', body: { subject: 'another' } })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    expect(await (await h.get('/api/v1/drafts')).json()).toMatchObject({ data: [{ id: 1 }] })
  })

  test('20 at once create one', async () => {
    await using h = await harness()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(h, '/api/v1/drafts', { key: 'k', body: DRAFT })),
    )
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(bodies).size).toBe(1)
    const { data } = (await (await h.get('/api/v1/drafts')).json()) as { data: object[] }
    expect(data).toHaveLength(1)
  })

  test('a repeat of forwarding makes no second draft', async () => {
    await using h = await harness()
    const inbox = await h.make.inbox((await h.make.account()).id)
    const { id } = await h.make.message(inbox)
    const path = `/api/v1/messages/${id}/forward-eml`
    const texts = [await post(h, path, { key: 'k' }), await post(h, path, { key: 'k' })]
    expect(await texts[1]?.text()).toBe(await texts[0]?.text())
    const { data } = (await (await h.get('/api/v1/drafts')).json()) as { data: object[] }
    expect(data).toHaveLength(1)
  })

  test('a repeat of sending is answered also when the draft is gone, and sends nothing', async () => {
    await using h = await withDraft()
    await using _sidecar = await settledOutbox(h.runtime)
    const first = await post(h, SEND, { key: 'k' })
    const again = await post(h, SEND, { key: 'k' })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    expect(await h.runtime.store.read.select().from(outbox)).toHaveLength(1)
  })
})
