import type { folders } from '../../db/schema/folders.ts'

export type FolderRow = Pick<
  typeof folders.$inferSelect,
  'id' | 'path' | 'delimiter' | 'specialUse' | 'selectable' | 'synced' | 'unread' | 'total'
>

/** A folder among its children. Without an id it is a container that can hold no mail. */
export interface FolderNode {
  readonly id?: number
  readonly name: string
  readonly path: string
  readonly specialUse?: NonNullable<FolderRow['specialUse']>
  readonly unread: number
  readonly total: number
  readonly synced: boolean
  readonly children: readonly FolderNode[]
}

/** Deeper levels are shown in the name of the last one: a hostile server must not exhaust the stack. */
const DEPTH_MAX = 50

/** Names with digits in the order people expect; built once, since a collator is slow to make. */
const byName = new Intl.Collator('en', { numeric: true })
const USE_ORDER = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash']

interface Branch {
  readonly name: string
  readonly path: string
  folder?: FolderRow
  readonly children: Map<string, Branch>
}

/**
 * The folders of one account as a tree, cut at their delimiters. A parent that the store does not know appears as
 * a container. Siblings stand with special uses first, then by name.
 */
export function folderTree(rows: readonly FolderRow[]): readonly FolderNode[] {
  const root: Branch = { name: '', path: '', children: new Map() }
  for (const row of rows) {
    let branch = root
    for (const name of namesOf(row)) branch = childOf(branch, name, row.delimiter ?? '')
    branch.folder = row
  }
  return nodesOf(root)
}

function namesOf({ path, delimiter }: FolderRow): readonly string[] {
  if (!delimiter) return [path]
  const names = path.split(delimiter)
  if (names.length <= DEPTH_MAX) return names
  return [...names.slice(0, DEPTH_MAX - 1), names.slice(DEPTH_MAX - 1).join(delimiter)]
}

function childOf(parent: Branch, name: string, delimiter: string): Branch {
  const known = parent.children.get(name)
  if (known) return known
  const isTop = parent.path === '' && parent.name === ''
  const path = isTop ? name : `${parent.path}${delimiter}${name}`
  const child: Branch = { name, path, children: new Map() }
  parent.children.set(name, child)
  return child
}

const nodesOf = (branch: Branch): readonly FolderNode[] =>
  [...branch.children.values()]
    .map(nodeOf)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || byName.compare(a.name, b.name))

function nodeOf(branch: Branch): FolderNode {
  const { folder } = branch
  return {
    ...(folder?.selectable ? { id: folder.id } : {}),
    name: branch.name,
    path: branch.path,
    ...(folder?.specialUse ? { specialUse: folder.specialUse } : {}),
    unread: folder?.unread ?? 0,
    total: folder?.total ?? 0,
    synced: folder?.synced ?? false,
    children: nodesOf(branch),
  }
}

const rankOf = ({ specialUse }: FolderNode) =>
  specialUse ? USE_ORDER.indexOf(specialUse) : USE_ORDER.length
