import { invalidRequest } from './errors.ts'

/** One page of a collection. `nextCursor` is absent when there is nothing after it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Makes the cursor that continues after a row with these keys: opaque text, safe in a URL. */
export const encodeCursor = (keys: readonly number[]): string =>
  btoa(keys.join('.')).replaceAll('=', '')

/** The keys in a cursor of `length` integers. Throws `invalid_request` for one that was not made here. */
export function decodeCursor(cursor: string, length: number): readonly number[] {
  const keys = textOf(cursor).split('.')
  const numbers = keys.map(Number)
  const intact =
    keys.length === length &&
    keys.every((key) => /^-?\d+$/.test(key)) &&
    numbers.every(Number.isSafeInteger)
  if (!intact) throw invalidRequest('The cursor is not one that this API gave out.')
  return numbers
}

/** Cuts rows, of which one more than `limit` was read to see whether any follow, to a page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => readonly number[],
): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last ? { items, nextCursor: encodeCursor(keysOf(last)) } : { items }
}

function textOf(cursor: string): string {
  try {
    return atob(cursor)
  } catch {
    return ''
  }
}
