import { expect, test } from 'vitest'
import { folderTree, type FolderRow } from '../../../domain/folders/folder-tree.ts'

const row = (id: number, path: string, rest: Partial<FolderRow> = {}): FolderRow => ({
  id,
  path,
  delimiter: '/',
  specialUse: null,
  selectable: true,
  synced: false,
  unread: 0,
  total: 0,
  ...rest,
})

test('paths become a tree, cut at the delimiter', () => {
  const [work] = folderTree([row(1, 'Work'), row(2, 'Work/Offers'), row(3, 'Work/Offers/2026')])
  expect(work).toMatchObject({
    id: 1,
    name: 'Work',
    children: [{ id: 2, path: 'Work/Offers', children: [{ id: 3, name: '2026', children: [] }] }],
  })
})

test('a container that can hold no mail has no id', () => {
  const [node] = folderTree([row(1, '[Gmail]', { selectable: false })])
  expect(node).not.toHaveProperty('id')
})

test('a parent the store does not know appears as a container', () => {
  expect(folderTree([row(7, 'Lists.dev', { delimiter: '.' })])).toEqual([
    {
      name: 'Lists',
      path: 'Lists',
      unread: 0,
      total: 0,
      synced: false,
      children: [expect.objectContaining({ id: 7, name: 'dev', path: 'Lists.dev' })],
    },
  ])
})

test('a flat namespace is not cut', () => {
  expect(folderTree([row(1, 'a/b', { delimiter: null })])).toMatchObject([{ name: 'a/b' }])
})

test('siblings stand with special uses first, then by name', () => {
  const names = folderTree([
    row(1, 'Zebra'),
    row(2, 'Box 10'),
    row(3, 'Box 2'),
    row(4, 'Trash', { specialUse: 'trash' }),
    row(5, 'INBOX', { specialUse: 'inbox' }),
  ]).map(({ name }) => name)
  expect(names).toEqual(['INBOX', 'Trash', 'Box 2', 'Box 10', 'Zebra'])
})

test('a path of a hundred thousand levels is shown without exhausting the stack', () => {
  const path = 'a/'.repeat(100_000) + 'end'
  const tree = folderTree([row(1, path)])
  expect(JSON.stringify(tree)).toContain('end')
})
