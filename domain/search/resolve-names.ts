import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { folders } from '../../db/schema/folders.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { survivingThread } from '../threads/survivor.ts'
import type { SearchExpression } from './expression.ts'
import { fold } from './fold.ts'
import { readLabelLists } from './label-lists.ts'
import { shown } from './shown.ts'

/** What the names in a query stand for in the store. */
export interface SearchNames {
  accountIds(name: string): readonly number[]
  folderIds(name: string): readonly number[]
  /** The lists of labels, as the store writes them, that this label is in. */
  labelLists(label: string): readonly string[]
  threadIds(threadId: number): readonly number[]
}

type NamingKind = 'account' | 'in' | 'label' | 'thread'

/** Reads what the names of an expression need, and no more. `warn` hears of those that stand for nothing. */
export async function readSearchNames(
  ctx: Needs<'store'>,
  expression: SearchExpression,
  warn: (warning: string) => void,
): Promise<SearchNames> {
  const kinds = new Set<string>()
  const survivors = new Map<number, number | undefined>()
  visit(expression, (leaf) => {
    kinds.add(leaf.kind)
    if (leaf.kind === 'thread') survivors.set(leaf.threadId, undefined)
  })
  const has = (kind: NamingKind) => kinds.has(kind)
  const named = has('account') ? await readAccounts(ctx) : []
  const placed = has('in') ? await readFolders(ctx) : []
  const labelled = has('label') ? await readLabelLists(ctx) : []
  for (const id of survivors.keys()) survivors.set(id, await survivingThread(ctx, id))
  const known = <Value>(what: string, values: readonly Value[]): readonly Value[] => {
    if (values.length === 0) warn(`There is no ${what}.`)
    return values
  }
  return {
    accountIds: (name) => known(`account ${shown(name)}`, idsOf(named, fold(name))),
    folderIds: (name) => known(`folder ${shown(name)}`, idsOf(placed, fold(name))),
    labelLists: (label) =>
      known(
        `label ${shown(label)}`,
        labelled
          .filter(({ labels }) => labels.some((other) => fold(other) === fold(label)))
          .map(({ list }) => list),
      ),
    threadIds: (id) =>
      known(
        `thread ${id}`,
        [survivors.get(id)].filter((found) => found !== undefined),
      ),
  }
}

interface Named {
  readonly id: number
  /** Folded. */
  readonly names: readonly string[]
}

const idsOf = (all: readonly Named[], name: string): readonly number[] =>
  all.filter(({ names }) => names.includes(name)).map(({ id }) => id)

function visit(expression: SearchExpression, see: (leaf: SearchExpression) => void): void {
  if (expression.kind === 'and' || expression.kind === 'or')
    for (const part of expression.of) visit(part, see)
  else if (expression.kind === 'not') visit(expression.of, see)
  else see(expression)
}

/** An account goes by its name, and by its address. */
async function readAccounts({ store }: Needs<'store'>): Promise<readonly Named[]> {
  const rows = await store.read
    .select({ id: accounts.id, name: accounts.name, email: accounts.email })
    .from(accounts)
    .where(isNotRemoved)
  return rows.map(({ id, name, email }) => ({ id, names: [fold(name), fold(email)] }))
}

/** A folder goes by its special use, its path, and the last name of that. */
async function readFolders({ store }: Needs<'store'>): Promise<readonly Named[]> {
  const rows = await store.read
    .select({
      id: folders.id,
      path: folders.path,
      delimiter: folders.delimiter,
      specialUse: folders.specialUse,
    })
    .from(folders)
    .where(eq(folders.selectable, true))
  return rows.map(({ id, path, delimiter, specialUse }) => {
    const last = delimiter ? (path.split(delimiter).at(-1) ?? path) : path
    const use = specialUse === null ? [] : [specialUse, ...(specialUse === 'spam' ? ['junk'] : [])]
    return { id, names: [fold(path), fold(last), ...use] }
  })
}
