import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { folders } from '../../../db/schema/folders.ts'
import { harness, type Harness } from '../../support/harness.ts'

const FILTERS = '/api/v1/filters'
const CONDITION = { field: 'subject', op: 'contains', value: 'invoice' }
const RULE = { conditions: [CONDITION], actions: [{ type: 'star' }] }

const json = async (answer: Response | Promise<Response>) => {
  const { status } = await answer
  return { status, body: status === 204 ? undefined : ((await (await answer).json()) as unknown) }
}

const create = async (h: Harness, rule: object) => json(h.send('POST', FILTERS, rule))
const change = async (h: Harness, rule: object, id = 1) =>
  json(h.send('PATCH', `${FILTERS}/${id}`, rule))

/** Two accounts with an archive each. */
async function mailboxes() {
  const h = await harness()
  const work = await h.make.account({ name: 'Work', email: 'ada@work.example' })
  const home = await h.make.account({ name: 'Home', email: 'ada@home.example' })
  const archive = await h.make.folder(work.id, { path: 'Archive/2026' })
  await h.make.folder(work.id, { path: 'Lists', selectable: false })
  const letters = await h.make.folder(home.id, { path: 'Letters' })
  await h.make.folder(home.id, { path: '2025' })
  return { h, archive, letters, [Symbol.asyncDispose]: h.close }
}

describe('201', () => {
  test('a rule is for every account, in force and last, unless it says otherwise', async () => {
    await using h = await harness()
    expect(await create(h, RULE)).toEqual({
      status: 201,
      body: { id: 1, account: '', position: 1, enabled: true, ...RULE },
    })
    await h.make.account({ name: 'Work' })
    const given = { ...RULE, name: 'Bills', account: 'Work', position: 1, enabled: false }
    expect(await create(h, { ...given, account: 'WORK' })).toEqual({
      status: 201,
      body: { id: 2, ...given },
    })
    expect(await json(h.get(FILTERS))).toEqual({
      status: 200,
      body: {
        data: [
          { id: 2, ...given },
          { id: 1, account: '', position: 2, enabled: true, ...RULE },
        ],
        next_cursor: '',
      },
    })
  })

  test('with every kind of condition and action', async () => {
    await using boxes = await mailboxes()
    const fields = ['from', 'to', 'subject', 'body']
    const conditions = fields.flatMap((field) => [
      { field, op: 'contains', value: ' A "b" %\n' },
      { field, op: 'regex', value: '(?i)^a+[b]{2,3}\\pL$' },
    ])
    const actions = [
      { type: 'move', arg: 'Archive/2026' },
      { type: 'label', arg: 'Zu lesen' },
      { type: 'forward', arg: 'ada+bills@elsewhere.example' },
      ...['mark_read', 'star', 'delete', 'notify'].map((type) => ({ type })),
    ]
    const rule = { account: 'Work', conditions, actions }
    expect(await create(boxes.h, rule)).toMatchObject({ status: 201, body: rule })
  })

  test.each([
    ['an id', (id: number) => id, (id: number) => id],
    ['an id as text', (id: number) => String(id), (id: number) => id],
    ['a path', () => 'Archive/2026', () => 'Archive/2026'],
  ])('the folder to move to may be %s', async (_, given, kept) => {
    await using boxes = await mailboxes()
    const { id } = boxes.archive
    const actions = [{ type: 'move', arg: given(id) }]
    expect(await create(boxes.h, { ...RULE, account: 'Work', actions })).toMatchObject({
      status: 201,
      body: { actions: [{ type: 'move', arg: kept(id) }] },
    })
  })

  test('a folder whose name is a number is meant before an id', async () => {
    await using boxes = await mailboxes()
    const actions = [{ type: 'move', arg: '2025' }]
    for (const account of ['Home', ''])
      expect(await create(boxes.h, { ...RULE, account, actions })).toMatchObject({
        status: 201,
        body: { actions },
      })
  })

  test('a rule that forwards is a line in the log, which does not say where to', async () => {
    await using h = await harness()
    await create(h, RULE)
    expect(h.logger.lines).toEqual([])
    await create(h, { ...RULE, actions: [{ type: 'forward', arg: 'eve@evil.example' }] })
    await change(h, { enabled: false }, 2)
    await change(h, { position: 1 }, 2)
    expect(h.logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { filterId: 2, enabled: true }],
      ['warn', { filterId: 2, enabled: false }],
    ])
    expect(JSON.stringify(h.logger.lines)).not.toContain('evil')
  })
})

describe('200', () => {
  test('only what is present changes; an empty name and account take them away', async () => {
    await using boxes = await mailboxes()
    const { h } = boxes
    const rule = { ...RULE, name: 'Bills', account: 'Work' }
    await create(h, rule)
    const was = { id: 1, ...rule, position: 1, enabled: true }
    expect(await change(h, {})).toEqual({ status: 200, body: was })
    expect(await change(h, { enabled: false })).toEqual({
      status: 200,
      body: { ...was, enabled: false },
    })
    const conditions = [{ field: 'body', op: 'regex', value: 'x+' }]
    expect(await change(h, { conditions, name: '', account: '', enabled: true })).toEqual({
      status: 200,
      body: { id: 1, account: '', position: 1, enabled: true, conditions, actions: RULE.actions },
    })
  })

  test('a rule whose folder is gone can still be switched off', async () => {
    await using boxes = await mailboxes()
    const { h } = boxes
    await create(h, { ...RULE, account: 'Work', actions: [{ type: 'move', arg: 'Archive/2026' }] })
    const isArchive = eq(folders.id, boxes.archive.id)
    await h.runtime.store.commit((write) => [write.delete(folders).where(isArchive)])
    expect(await change(h, { enabled: false })).toMatchObject({ status: 200 })
    expect(await change(h, { account: 'Home' })).toMatchObject({ status: 400 })
  })
})

test('204: a deleted rule is gone, and the next id is a new one', async () => {
  await using h = await harness()
  await create(h, RULE)
  expect(await json(h.send('DELETE', `${FILTERS}/1`))).toEqual({ status: 204, body: undefined })
  expect(await json(h.get(FILTERS))).toMatchObject({ body: { data: [] } })
  expect(await json(h.send('DELETE', `${FILTERS}/1`))).toMatchObject({ status: 404 })
  expect(await create(h, RULE)).toMatchObject({ body: { id: 2 } })
})

describe('404', () => {
  test.each(['7', '0', '-1', 'x', '1.5', '99999999999999999999'])('no rule %s', async (id) => {
    await using h = await harness()
    for (const method of ['PATCH', 'DELETE'])
      expect(await json(h.send(method, `${FILTERS}/${id}`, {}))).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
  })
})

const action = (type: string, arg?: unknown) => ({ actions: [{ type, arg }] })
const condition = (changes: object) => ({ conditions: [{ ...CONDITION, ...changes }] })

describe('400, and nothing is stored', () => {
  test.each<[string, object]>([
    ['no conditions', { conditions: [] }],
    ['no actions', { actions: [] }],
    ['conditions that are no list', { conditions: CONDITION }],
    ['an unknown field', { more: 1 }],
    ['an unknown field of a condition', condition({ more: 1 })],
    ['an unknown field of an action', { actions: [{ type: 'star', more: 1 }] }],
    ['an unknown place to look', condition({ field: 'cc' })],
    ['an unknown operator', condition({ op: 'is' })],
    ['an empty value', condition({ value: '' })],
    ['a value that is no text', condition({ value: 7 })],
    ['null', condition({ value: null })],
    ['a value of 10,000 characters', condition({ value: 'x'.repeat(10_000) })],
    ['a broken expression', condition({ op: 'regex', value: '(' })],
    ['an expression that is not RE2', condition({ op: 'regex', value: '(a)\\1' })],
    ['an expression that explodes', condition({ op: 'regex', value: '\\pL{1000}'.repeat(90) })],
    ['21 conditions', { conditions: Array.from({ length: 21 }, () => CONDITION) }],
    ['an unknown action', action('explode')],
    ['an argument for star', action('star', 'x')],
    ['an empty argument for star', action('star', '')],
    ['no argument for move', action('move')],
    ['an empty argument for move', action('move', '')],
    ['no such path', action('move', 'Nowhere')],
    ['no such folder id', action('move', 4711)],
    ['a folder id below one', action('move', 0)],
    ['a folder that holds no mail', { account: 'Work', ...action('move', 'Lists') }],
    ['a path of another account', { account: 'Work', ...action('move', 'Letters') }],
    ['no argument for label', action('label')],
    ['a number for label', action('label', 7)],
    ['a label with CR and LF', action('label', 'x\r\nA1 DELETE INBOX')],
    ['a label that is a flag', action('label', '\\Deleted')],
    ['a label of 10,000 characters', action('label', 'x'.repeat(10_000))],
    ['no argument for forward', action('forward')],
    ['no address', action('forward', 'ada')],
    ['two addresses', action('forward', 'a@example.com, b@example.com')],
    ['an address with CR and LF', action('forward', 'a@example.com\r\nBcc: b@example.com')],
    ['an address of 10,000 characters', action('forward', `${'x'.repeat(10_000)}@example.com`)],
    ['its own address', { account: 'Work', ...action('forward', 'ADA@work.example') }],
    ['an address of any account', action('forward', 'ada@home.example')],
    ['no such account', { account: 'Nobody' }],
    ['position 0', { position: 0 }],
    ['half a position', { position: 1.5 }],
    ['enabled as text', { enabled: 'yes' }],
    ['a name with a control character', { name: 'a\nb' }],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
  ])('%s', async (_, changes) => {
    await using boxes = await mailboxes()
    const { h } = boxes
    const refusal = {
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringMatching(/\w{2}/) } },
    }
    expect(await create(h, { ...RULE, ...changes })).toEqual(refusal)
    expect(await json(h.get(FILTERS))).toMatchObject({ body: { data: [] } })

    const { account = '' } = changes as { account?: string }
    await create(h, { ...RULE, account: account === 'Nobody' ? '' : account })
    const before = await json(h.get(FILTERS))
    expect(await change(h, changes)).toEqual(refusal)
    expect(await json(h.get(FILTERS))).toEqual(before)
  })

  test('a folder id of another account, or for every account', async () => {
    await using boxes = await mailboxes()
    const { h, letters } = boxes
    const moves = action('move', letters.id)
    expect(await create(h, { ...RULE, account: 'Work', ...moves })).toMatchObject({ status: 400 })
    expect(await create(h, { ...RULE, ...moves })).toMatchObject({ status: 400 })
    await create(h, { ...RULE, account: 'Home', ...moves })
    expect(await change(h, { account: 'Work' })).toMatchObject({ status: 400 })
    expect(await change(h, { account: '' })).toMatchObject({ status: 400 })
    expect(await json(h.get(FILTERS))).toMatchObject({ body: { data: [{ account: 'Home' }] } })
  })

  test('more rules than there can be', async () => {
    await using h = await harness()
    for (let count = 0; count < 500; count++) await create(h, RULE)
    expect(await create(h, RULE)).toMatchObject({ status: 400 })
  })
})
