import type { Argument } from './command.ts'
import { Refusal } from './refusal.ts'
import { MONTHS } from './response-text.ts'
import { type Criterion, type KeyArguments, SEARCH_KEYS } from './search-keys.ts'
import { openView, type Session } from './session.ts'

/** What the arguments of a SEARCH ask for, all of them (RFC 3501 section 6.4.4); refuses what it cannot read. */
export function parseCriteria(session: Session, args: readonly Argument[]): Criterion {
  const rest = [...args]
  const next = () => rest.shift() ?? notRead()
  const word = () => {
    const argument = next()
    return typeof argument === 'string' ? argument : notRead()
  }
  const reader: KeyArguments = {
    session,
    word,
    text: () => Buffer.from(word(), 'latin1').toString('utf8'),
    number: () => numberOf(word()),
    dayMs: () => dayOf(word()),
    criterion() {
      const argument = next()
      return typeof argument === 'string' ? keyed(argument) : parseCriteria(session, argument)
    },
  }
  const inSet = (set: string, isUid: boolean): Criterion => {
    const seqs = new Set(
      openView(session)
        .select(checkedSet(set), isUid)
        .map(({ seq }) => seq),
    )
    return ({ seq }) => seqs.has(seq)
  }
  const keyed = (written: string): Criterion => {
    const name = written.toUpperCase()
    if (name === 'UID') return inSet(word(), true)
    const key = Object.hasOwn(SEARCH_KEYS, name) ? SEARCH_KEYS[name] : undefined
    return key ? key(reader) : inSet(written, false)
  }
  const criteria = [reader.criterion()]
  while (rest.length > 0) criteria.push(reader.criterion())
  return (numbered) => criteria.every((criterion) => criterion(numbered))
}

function notRead(): never {
  throw new Refusal('BAD', 'Could not parse command')
}

const checkedSet = (set: string) =>
  /^(?:\d+|\*)(?::(?:\d+|\*))?(?:,(?:\d+|\*)(?::(?:\d+|\*))?)*$/.test(set) ? set : notRead()

/** Numbers have 32 bits. */
const numberOf = (text: string) =>
  /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : notRead()

function dayOf(text: string): number {
  const [, day, name = '', year] = /^(\d{1,2})-([a-z]{3})-(\d{4})$/i.exec(text) ?? []
  const month = MONTHS.findIndex((known) => known.toLowerCase() === name.toLowerCase())
  return month < 0 ? notRead() : Date.UTC(Number(year), month, Number(day))
}
