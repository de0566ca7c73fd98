import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteNextCorrespondents } from '../../../domain/search/suggestions/note-next.ts'
import { harness, type Harness } from '../../support/harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness({ scopes: ['mail:read'] })
  const account = await h.make.account({ name: 'Work', email: 'ada@example.org' })
  const inbox = await h.make.inbox(account.id)
  await h.make.folder(account.id, { path: 'Archive', specialUse: 'archive' })
  await h.make.folder(account.id, { path: 'Projects/Analytical Engine' })
  const source =
    'From: Grace Hopper <grace@navy.example>\r\nTo: Ada <ada@example.org>\r\n\r\nAhoy.\r\n'
  await h.make.message(inbox, { source, labels: ['Adventures', 'to do'] })
  await h.make.message(inbox, { labels: ['adventures', 'Été'] })
  await noteNextCorrespondents(h.runtime)
})
afterAll(() => h.close())

const suggestions = async (query: Record<string, string>) => {
  const response = await h.get(`/api/v1/search/suggestions?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  return response.json()
}

const GRACE = { name: 'Grace Hopper', address: 'grace@navy.example' }
const NOTHING = { senders: [], recipients: [], labels: [], folders: [] }

test('everything that a prefix may mean', async () => {
  expect(await suggestions({ prefix: 'gra' })).toEqual({
    ...NOTHING,
    senders: [GRACE],
    recipients: [GRACE],
  })
  expect(await suggestions({ prefix: 'ad' })).toEqual({ ...NOTHING, labels: ['Adventures'] })
  expect(await suggestions({ prefix: 'ete' })).toEqual({ ...NOTHING, labels: ['Été'] })
})

test('folders by their path and special use', async () => {
  const { folders } = await suggestions({ prefix: 'engine proj' })
  expect(folders).toEqual([
    { id: expect.any(Number), account: 'Work', path: 'Projects/Analytical Engine' },
  ])
  expect(await suggestions({ prefix: 'arch' })).toMatchObject({
    folders: [{ account: 'Work', path: 'Archive', special_use: 'archive' }],
  })
})

test('with nothing typed, those that are used most', async () => {
  const all = await suggestions({})
  expect(all.senders).toEqual([GRACE])
  expect(all.labels).toEqual(['Adventures', 'Été', 'to do'])
  expect(all.folders.map(({ path }: { path: string }) => path)).toEqual([
    'Archive',
    'INBOX',
    'Projects/Analytical Engine',
  ])
  const one = await suggestions({ limit: '1' })
  expect(one).toMatchObject({ labels: ['Adventures'], folders: [{ path: 'Archive' }] })
})

describe('hostile input', () => {
  test.each([
    '"',
    "'; DROP TABLE correspondents; --",
    'NEAR(a b',
    '%',
    '_',
    '\0',
    '\u202e',
    '😀',
    'x'.repeat(8_000),
  ])('%j is text', async (prefix) => {
    expect(await suggestions({ prefix })).toEqual(NOTHING)
  })

  test.each(['0', '51', 'x', '-1', '1.5'])('a limit of %s is refused', async (limit) => {
    const response = await h.get(`/api/v1/search/suggestions?limit=${limit}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })
})
