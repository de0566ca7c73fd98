import type { Address } from '../../db/schema/contents.ts'
import type { FilterCondition } from '../../db/schema/filters.ts'
import { fold } from '../search/fold.ts'

/** What rules read of a message. */
export interface FilteredMessage {
  readonly accountId: number
  readonly from: readonly Address[]
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly subject: string
  /** The whole text of the body; absent or null when it has none. */
  readonly text?: string | null | undefined
}

type Field = FilterCondition['field']

/** A message as conditions look at it; every text is made once, when the first of them asks for it. */
export interface FilterText {
  readonly accountId: number
  /** The field folded (domain/search/fold.ts), addresses written with their names. */
  folded(field: Field): string
  /** The texts that a regular expression may match: each address with its name and by itself, else the field. */
  written(field: Field): readonly string[]
}

/** Prepares a message for conditions: `from` is name and address, `to` is To and Cc, `body` the full text. */
export function filterText(message: FilteredMessage): FilterText {
  const written = (field: Field): readonly string[] => {
    if (field === 'subject') return [message.subject]
    if (field === 'body') return [message.text ?? '']
    return eachAddress(field === 'from' ? message.from : [...message.to, ...message.cc])
  }
  const writtenOnce = once(written)
  return {
    accountId: message.accountId,
    written: writtenOnce,
    folded: once((field) => fold(writtenOnce(field).join('\n'))),
  }
}

function eachAddress(addresses: readonly Address[]): readonly string[] {
  if (addresses.length === 0) return ['']
  return addresses.flatMap(({ name, address }) =>
    name === undefined ? [address] : [`${name} <${address}>`, address],
  )
}

function once<Value>(make: (field: Field) => Value): (field: Field) => Value {
  const made = new Map<Field, Value>()
  return (field) => {
    const known = made.get(field)
    if (known !== undefined) return known
    const value = make(field)
    made.set(field, value)
    return value
  }
}
