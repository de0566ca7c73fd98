import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

type Decode = (value: never) => unknown

const NONE: readonly never[] = []

const DECODERS: readonly (readonly [name: string, decode: Decode | undefined])[] = Object.entries(
  MESSAGE_COLUMNS,
).map(([name, column]) => [name, decoderOf(column)])

/**
 * Message rows out of the raw values of `MESSAGE_COLUMNS`, in their order. What drizzle's own mapping does, without
 * its walk over every field of every row, which costs as much as running the query.
 */
export function readMessageRows(values: readonly ArrayLike<unknown>[]): readonly MessageRow[] {
  return values.map((row) => {
    const read: Record<string, unknown> = {}
    for (let index = 0; index < DECODERS.length; index += 1) {
      const [name, decode] = DECODERS[index] ?? ['', undefined]
      const value = row[index]
      read[name] = value === null || !decode ? value : decode(value as never)
    }
    return read as unknown as MessageRow
  })
}

type Column = (typeof MESSAGE_COLUMNS)[keyof typeof MESSAGE_COLUMNS]

/** Most lists of a message are empty, so those are not parsed. */
function decoderOf(column: Column): Decode | undefined {
  if (column.dataType === 'json') {
    return (text: string) => (text === '[]' ? NONE : JSON.parse(text))
  }
  return column.dataType === 'boolean' ? (value: number) => value === 1 : undefined
}
