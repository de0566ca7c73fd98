import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
const ids: Record<string, number> = {}
let workInbox = 0
let workArchive = 0

const day = (n: number) => Date.UTC(2026, 0, n)
const source = (headers: string) => `${headers}\r\n\r\nText.\r\n`

beforeAll(async () => {
  h = await harness()
  const work = await h.make.account({ name: 'Work' })
  const home = await h.make.account({ name: 'Zuhause ÄÖ' })
  await h.make.account({ name: 'Empty' })
  const inbox = await h.make.inbox(work.id)
  const archive = await h.make.folder(work.id, { path: 'Archive', specialUse: 'archive' })
  const homeInbox = await h.make.inbox(home.id)
  workInbox = inbox.id
  workArchive = archive.id
  ids['a'] = (
    await h.make.message(inbox, {
      date: day(1),
      source: source('From: Zoë <zoe@example.org>\r\nTo: bob@example.com\r\nSubject: 100% sure'),
    })
  ).id
  ids['b'] = (await h.make.message(inbox, { date: day(2), read: true, starred: true })).id
  ids['c'] = (
    await h.make.message(homeInbox, {
      date: day(3),
      source: source('From: x@y.example\r\nCc: Carl <carl@example.net>\r\nSubject: GRÜSSE_1'),
    })
  ).id
  ids['d'] = (await h.make.message(archive, { date: day(4) })).id
})
afterAll(() => h.close())

const names = async (query: string) => {
  const answer = await h.get(`/api/v1/messages${query}`)
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: { id: number }[] }
  return data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).join('')
}

describe('200', () => {
  test('without folder and account: all inboxes, newest first', async () => {
    expect(await names('')).toBe('cba')
  })

  test('a folder, and it wins over account', async () => {
    expect(await names(`?folder=${workArchive}`)).toBe('d')
    expect(await names(`?folder=${workArchive}&account=nobody`)).toBe('d')
  })

  test.each(['Work', 'work', 'WORK'])('the inbox of account %s', async (account) => {
    expect(await names(`?account=${account}`)).toBe('ba')
  })

  test('account names have no case beyond ASCII either', async () => {
    expect(await names(`?account=${encodeURIComponent('zuhause äö')}`)).toBe('c')
  })

  test('an account that has no inbox yet is empty', async () => {
    expect(await names('?account=empty')).toBe('')
  })

  test.each([
    ['unread=true', 'ca'],
    ['unread=1', 'ca'],
    ['unread=false', 'b'],
    ['unread=0', 'b'],
    ['starred=true', 'b'],
    ['starred=0', 'ca'],
    ['since=2026-01-02T00:00:00Z', 'cb'],
    ['since=2026-01-02T00:00:00.001Z', 'c'],
    ['since=2026-01-02T02:00:00%2B02:00', 'cb'],
    ['since=2026-01-02t00:00:00.0000001z', 'cb'],
    ['since=2026-01-02%2000:00:00Z', 'cb'],
    ['since=2024-02-29T00:00:00Z', 'cba'],
    ['since=2026-01-04T00:00:00Z', ''],
    ['from=zoe', 'a'],
    ['from=ZO%C3%8B', 'a'],
    ['from=ZOE%40EXAMPLE', 'a'],
    ['to=carl', 'c'],
    ['to=bob%40', 'a'],
    ['subject=gr%C3%BCsse', 'c'],
    ['subject=grusse', 'c'],
    ['subject=100%25', 'a'],
    ['subject=0%25s', ''],
    ['subject=_1', 'c'],
    ['from=', 'cba'],
    ['cursor=', 'cba'],
  ])('%s filters', async (query, expected) => {
    expect(await names(`?${query}`)).toBe(expected)
  })

  test.each([
    'unread=maybe',
    'unread=',
    'unread=TRUE',
    'starred=yes',
    'since=yesterday',
    'since=2026-01-02',
    'since=2026-01-04T00:00',
    'since=2026-13-45T00:00:00Z',
    'since=2026-11-31T00:00:00Z',
    'since=2026-02-29T00:00:00Z',
    'since=2026-11-30T24:00:00Z',
    'since=2026-11-30T23:60:00Z',
    'since=2026-11-30T23:59:60Z',
    'since=2026-11-30T00:00:00%2B24:00',
    'since=2026-11-30T00:00:00%2B01:60',
    'unread=true&unread=true',
    'unknown=1',
  ])('%s is ignored', async (query) => {
    expect(await names(`?${query}`)).toBe('cba')
  })

  test('values that are not known are absent, lists are always there', async () => {
    const answer = await h.get(`/api/v1/messages?folder=${workArchive}`)
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
    expect(data[0]).toMatchObject({ to: [], cc: [], bcc: [], reply_to: [], labels: [] })
    expect(Object.values(data[0] ?? {})).not.toContain(null)
    expect(data[0]).not.toHaveProperty('draft_id')
  })

  test('HEAD answers as GET does, without the body', async () => {
    const answer = await h.api.request('/api/v1/messages', {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${h.secret}` },
    })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('400', () => {
  test.each([
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1e2',
    'limit=1&limit=2',
    'folder=inbox',
    'folder=1.5',
    'folder=',
    'cursor=garbage',
    'cursor=%00',
    `cursor=${btoa('1')}`,
    `cursor=${btoa('1.2.3')}`,
    `cursor=${btoa('1e400.1')}`,
  ])('%s', async (query) => {
    const answer = await h.get(`/api/v1/messages?${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })
})

test.each(['limit', 'folder', 'account', 'cursor', 'subject'])(
  '%s given more than once is refused in these words',
  async (name) => {
    const answer = await h.get(`/api/v1/messages?${name}=1&${name}=1`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: { code: 'invalid_request', message: `${name}: given more than once` },
    })
  },
)

describe('404', () => {
  test.each([
    ['folder=4711', 'folder 4711'],
    ['folder=-1', 'folder -1'],
    ['folder=9007199254740992', 'folder 9007199254740992'],
    ['folder=99999999999999999999999', 'folder 99999999999999999999999'],
    ['account=nobody', 'account "nobody"'],
    ['account=', 'account ""'],
  ])('%s', async (query, what) => {
    const answer = await h.get(`/api/v1/messages?${query}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: { code: 'not_found', message: `There is no ${what}.` },
    })
  })
})

test('a page of one leads through everything', async () => {
  let path = `/api/v1/messages?limit=1&folder=${workInbox}`
  const seen: number[] = []
  for (let page = 0; page < 5; page += 1) {
    const answer = await h.get(path)
    const body = (await answer.json()) as { data: { id: number }[]; next_cursor: string }
    seen.push(...body.data.map(({ id }) => id))
    if (body.next_cursor === '') break
    path = `/api/v1/messages?limit=1&folder=${workInbox}&cursor=${body.next_cursor}`
  }
  expect(seen).toEqual([ids['b'], ids['a']])
})
