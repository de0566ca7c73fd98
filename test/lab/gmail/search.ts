import { type Argument, textOf, textsOf } from './command.ts'
import type { Numbered } from './mailbox-view.ts'
import { canonicalFlag, headerField, sharedFlags } from './message.ts'
import { Refusal } from './refusal.ts'
import { decodeName } from './response-text.ts'
import { type Handler, openView, type Session, SUCCESS } from './session.ts'

type Criterion = (numbered: Numbered) => boolean

/** SEARCH and UID SEARCH, also with RETURN (RFC 4731), for flags, sets, header fields and Gmail's numbers and labels. */
export const searchMessages: Handler = (session, { tag, args, isUid }) => {
  const view = openView(session)
  const isExtended = textOf(args[0]).toUpperCase() === 'RETURN'
  const criteria = parseCriteria(session, isExtended ? args.slice(2) : args)
  const found = view
    .select('1:*', false)
    .filter((numbered) => criteria.every((criterion) => criterion(numbered)))
    .map(({ seq, seen }) => (isUid ? seen.uid : seq))
  if (isExtended) {
    const asked = textsOf(args[1]).map((option) => option.toUpperCase())
    const results = { COUNT: found.length, ...(found.length > 0 && extremes(found)) }
    const wanted = Object.entries(results).filter(
      ([name]) => asked.includes(name) || (name === 'ALL' && asked.length === 0),
    )
    const text = wanted.map(([name, value]) => ` ${name} ${value}`).join('')
    session.write(`* ESEARCH (TAG "${tag}")${isUid ? ' UID' : ''}${text}\r\n`)
  } else session.write(`* SEARCH${found.map((number) => ` ${number}`).join('')}\r\n`)
  return SUCCESS
}

const extremes = (found: readonly number[]) => ({
  MIN: found[0],
  MAX: found.at(-1),
  ALL: found.join(','),
})

function parseCriteria(session: Session, args: readonly Argument[]): readonly Criterion[] {
  const view = openView(session)
  const rest = args.map(textOf)
  const next = () => rest.shift() ?? ''
  const inSet = (set: string, isUid: boolean): Criterion => {
    const seqs = new Set(view.select(set, isUid).map(({ seq }) => seq))
    return ({ seq }) => seqs.has(seq)
  }
  const criterion = (key: string): Criterion => {
    switch (key.toUpperCase()) {
      case 'ALL':
        return () => true
      case 'NOT': {
        const negated = criterion(next())
        return (numbered) => !negated(numbered)
      }
      case 'UID':
        return inSet(next(), true)
      case 'MODSEQ': {
        const modseq = BigInt(next())
        return ({ seen }) => seen.message.modseq >= modseq
      }
      case 'HEADER': {
        const [name, text] = [next(), next().toLowerCase()]
        return ({ seen }) => headerField(seen.message.source, name).toLowerCase().includes(text)
      }
      case 'LARGER':
      case 'SMALLER': {
        const isWanted = sizeMatcher(key, Number(next()))
        return ({ seen }) => isWanted(seen.message.source.length)
      }
      case 'X-GM-MSGID': {
        const msgid = next()
        return ({ seen }) => seen.message.msgid === msgid
      }
      case 'X-GM-THRID': {
        const threadId = next()
        return ({ seen }) => seen.message.threadId === threadId
      }
      case 'X-GM-LABELS': {
        const label = decodeName(next(), session)
        return ({ seen }) => seen.message.labels.has(label)
      }
      default:
        return /^[\d*]/.test(key) ? inSet(key, false) : flagCriterion(key)
    }
  }
  const criteria: Criterion[] = []
  while (rest.length > 0) criteria.push(criterion(next()))
  return criteria
}

/** Both exclude the number itself (RFC 9051 section 6.4.4). */
const sizeMatcher = (key: string, bound: number) => (size: number) =>
  key.toUpperCase() === 'LARGER' ? size > bound : size < bound

function flagCriterion(key: string): Criterion {
  const [, un, name = ''] = /^(UN)?(SEEN|FLAGGED|ANSWERED|DRAFT)$/i.exec(key) ?? []
  if (name === '') throw new Refusal('BAD', 'Could not parse command')
  const flag = canonicalFlag(`\\${name}`)
  return ({ seen }) => sharedFlags(seen.message).includes(flag) === (un === undefined)
}
