import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

type Column = (typeof MESSAGE_COLUMNS)[keyof typeof MESSAGE_COLUMNS]
type Decode = (value: unknown) => unknown

const FIELDS: readonly (readonly [name: string, index: number, decode: Decode | undefined])[] =
  Object.entries(MESSAGE_COLUMNS).map(([name, column], index) => [name, index, decoderOf(column)])

/** Copied for each row, so that all of them are objects of one shape. */
const EMPTY_ROW: Record<string, unknown> = Object.fromEntries(FIELDS.map(([name]) => [name, null]))

const NO_ITEMS: readonly never[] = []

/**
 * Message rows out of the raw values of `MESSAGE_COLUMNS`, in their order. It does what drizzle's own mapping does,
 * without its walk over every field of every row, which costs as much as running the query.
 */
export function readMessageRows(values: readonly ArrayLike<unknown>[]): readonly MessageRow[] {
  return values.map((row) => {
    const read = { ...EMPTY_ROW }
    for (const [name, index, decode] of FIELDS) {
      const value = row[index]
      if (value !== null) read[name] = decode ? decode(value) : value
    }
    return read as unknown as MessageRow
  })
}

/** Most lists of a message are empty, so those are not parsed. */
function decoderOf(column: Column): Decode | undefined {
  if (column.dataType === 'json') {
    return (text) => (text === '[]' ? NO_ITEMS : JSON.parse(String(text)))
  }
  return column.dataType === 'boolean' ? (value) => value === 1 : undefined
}
