import { describe, expect, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { harness, type Harness } from '../../support/harness.ts'

const DRAFTS = '/api/v1/drafts'

const json = async (answer: Response | Promise<Response>) => {
  const { status, headers } = await answer
  const body = status === 204 ? undefined : ((await (await answer).json()) as object)
  return { status, body, tag: headers.get('ETag') }
}

const create = (h: Harness, draft: object) => json(h.send('POST', DRAFTS, draft))
const change = (h: Harness, fields: object, id = 1) =>
  json(h.send('PATCH', `${DRAFTS}/${id}`, fields))
const EMPTY = { to: '', cc: '', bcc: '', subject: '', body: '', mode: 'plain', kind: 'new' }
const NOTES = { filename: 'notes.txt', content_type: 'text/plain', data: 'SGVsbG8uCg==' }
const SHOWN_NOTES = { index: 0, filename: 'notes.txt', content_type: 'text/plain', size: 7 }

describe('201', () => {
  test('a draft may be empty; it belongs to the only account', async () => {
    await using h = await harness()
    await h.make.account({ name: 'Work' })
    expect(await create(h, {})).toEqual({
      status: 201,
      tag: '"1"',
      body: { id: 1, account: 'Work', ...EMPTY, attachments: [], updated_at: expect.any(String) },
    })
  })

  test('of several accounts it has none, unless it names one or its original does', async () => {
    await using h = await harness()
    await h.make.account({ name: 'Work' })
    const home = await h.make.account({ name: 'Home' })
    const { id } = await h.make.message(await h.make.inbox(home.id))
    expect((await create(h, {})).body).not.toHaveProperty('account')
    expect(await create(h, { account: 'work' })).toMatchObject({ body: { account: 'Work' } })
    expect(await create(h, { in_reply_to: id, kind: 'reply_all' })).toMatchObject({
      body: { account: 'Home', in_reply_to: id, kind: 'reply_all' },
    })
  })

  test('recipients stay as typed', async () => {
    await using h = await harness()
    const typed = {
      to: ' "Doe, Jane" <jane@example.org>,, half an addr',
      cc: 'Jürgen <j@müller.example>',
      bcc: 'undisclosed-recipients:;',
      subject: ' x ',
      body: 'a\r\nb\tc',
      mode: 'html',
      attachments: [NOTES, { ...NOTES, filename: 'again.txt' }],
    }
    const shown = [SHOWN_NOTES, { ...SHOWN_NOTES, index: 1, filename: 'again.txt' }]
    expect(await create(h, typed)).toMatchObject({ body: { ...typed, attachments: shown } })
    expect(await json(h.get(`${DRAFTS}/1`))).toMatchObject({
      status: 200,
      tag: '"1"',
      body: { ...typed, attachments: shown },
    })
  })
})

describe('200', () => {
  test('what is present changes, "" clears, and the tag is another', async () => {
    await using h = await harness()
    await h.make.account({ name: 'Work' })
    await create(h, { to: 'a@example.org', subject: 'x', attachments: [NOTES] })
    expect(await change(h, {})).toMatchObject({ status: 200, tag: '"1"' })
    expect(await change(h, { to: '', body: 'y' })).toMatchObject({
      status: 200,
      tag: '"2"',
      body: { to: '', subject: 'x', body: 'y', attachments: [SHOWN_NOTES] },
    })
    expect(await change(h, { attachments: [], account: '' })).toMatchObject({
      tag: '"3"',
      body: { attachments: [], subject: 'x' },
    })
    expect((await json(h.get(`${DRAFTS}/1`))).body).not.toHaveProperty('account')
  })

  test('lists page by page, written last first, of one account', async () => {
    await using h = await harness()
    await h.make.account({ name: 'Work' })
    await h.make.account({ name: 'Home' })
    for (const account of ['Work', 'Home', 'Work']) {
      await create(h, { account })
      h.clock.advance(1_000)
    }
    await change(h, { subject: 'newest' })
    const idsOf = async (query: string) => {
      const { body } = await json(h.get(`${DRAFTS}${query}`))
      const { data, next_cursor } = body as { data: { id: number }[]; next_cursor: string }
      return { ids: data.map(({ id }) => id), next: next_cursor }
    }
    expect(await idsOf('')).toEqual({ ids: [1, 3, 2], next: '' })
    expect(await idsOf('?account=home')).toEqual({ ids: [2], next: '' })
    const { ids, next } = await idsOf('?limit=2')
    expect(ids).toEqual([1, 3])
    expect(await idsOf(`?limit=2&cursor=${next}`)).toEqual({ ids: [2], next: '' })
  })

  test.each(['"1"', '*', '"7", "1"'])('If-Match: %s', async (tag) => {
    await using h = await harness()
    await create(h, {})
    const answer = await h.api.request(`${DRAFTS}/1`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${h.secret}`,
        'Content-Type': 'application/json',
        'If-Match': tag,
      },
      body: '{"subject":"y"}',
    })
    expect(answer.status).toBe(200)
  })
})

test('204: a deleted draft is gone', async () => {
  await using h = await harness()
  await create(h, {})
  expect((await json(h.send('DELETE', `${DRAFTS}/1`))).status).toBe(204)
  expect((await json(h.get(`${DRAFTS}/1`))).status).toBe(404)
  expect((await json(h.get(DRAFTS))).body).toEqual({ data: [], next_cursor: '' })
})

describe('400', () => {
  test.each([
    ['to', 'a@example.org\r\nBcc: b@example.org'],
    ['cc', 'a\nb'],
    ['bcc', 'a\0b'],
    ['subject', 'a\u0085b'],
    ['subject', 'a\tb'],
    ['body', 'a\0b'],
  ])('a control character in %s', async (field, value) => {
    await using h = await harness()
    await create(h, {})
    for (const answer of [await create(h, { [field]: value }), await change(h, { [field]: value })])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringContaining(field) } },
      })
    expect((await json(h.get(DRAFTS))).body).toMatchObject({ data: [{ id: 1, subject: '' }] })
  })

  test.each([
    ['kind', { kind: 'reply' }],
    ['in_reply_to', { in_reply_to: 1 }],
  ])('%s cannot be changed', async (_, fields) => {
    await using h = await harness()
    await create(h, {})
    expect(await change(h, fields)).toMatchObject({ status: 400 })
  })

  test('a draft that is being sent can be neither changed nor deleted', async () => {
    await using h = await harness()
    const { id: accountId } = await h.make.account()
    await create(h, {})
    await h.runtime.store.commit((write) => [
      write.insert(outbox).values({
        accountId,
        status: 'scheduled',
        isImmediate: false,
        sendAt: 0,
        message: {
          from: { address: 'ada@example.org' },
          to: [],
          cc: [],
          bcc: [],
          replyTo: [],
          subject: '',
          text: '',
          references: [],
        },
        messageIdHeader: 'x@example.org',
        date: 0,
        draftId: 1,
        nextAttemptAt: 0,
        createdAt: 0,
      }),
    ])
    const refused = { error: { message: expect.stringContaining('scheduled to be sent') } }
    expect(await change(h, { subject: 'y' })).toMatchObject({ status: 400, body: refused })
    expect(await json(h.send('DELETE', `${DRAFTS}/1`))).toMatchObject({ body: refused })
  })
})

describe('404', () => {
  test.each([
    ['account', { account: 'Nobody' }],
    ['in_reply_to', { in_reply_to: 99 }],
  ])('an unknown %s', async (_, draft) => {
    await using h = await harness()
    expect(await create(h, draft)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })

  test('an unknown draft', async () => {
    await using h = await harness()
    for (const answer of [
      await json(h.get(`${DRAFTS}/1`)),
      await change(h, { subject: 'x' }),
      await json(h.send('DELETE', `${DRAFTS}/1`)),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })
})

test.each(['"2"', 'W/"1"', '"a"'])('412: If-Match: %s', async (tag) => {
  await using h = await harness()
  await create(h, {})
  const answer = await h.api.request(`${DRAFTS}/1`, {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${h.secret}`,
      'Content-Type': 'application/json',
      'If-Match': tag,
    },
    body: '{"subject":"y"}',
  })
  expect(answer.status).toBe(412)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
  expect(await json(h.get(`${DRAFTS}/1`))).toMatchObject({ body: { subject: '' } })
})
