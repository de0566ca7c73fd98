import { type Argument, textOf, textsOf } from './command.ts'
import { Refusal } from './refusal.ts'
import { parseCriteria } from './search-criteria.ts'
import { type Handler, openView, type Session, SUCCESS } from './session.ts'

/** SEARCH and UID SEARCH, also with RETURN (RFC 4731). */
export const searchMessages: Handler = (session, { tag, args, isUid }) => {
  const view = openView(session)
  const isExtended = textOf(args[0]).toUpperCase() === 'RETURN'
  const isMeant = parseCriteria(session, afterCharset(session, isExtended ? args.slice(2) : args))
  const found = view
    .select('1:*', false)
    .filter(isMeant)
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

/** Texts are in UTF-8 whatever is said, which is forbidden after ENABLE UTF8=ACCEPT (RFC 6855 section 3). */
function afterCharset({ isUtf8 }: Session, args: readonly Argument[]): readonly Argument[] {
  if (textOf(args[0]).toUpperCase() !== 'CHARSET') return args
  if (isUtf8) throw new Refusal('BAD', 'CHARSET is not allowed in UTF8=ACCEPT mode')
  if (!['UTF-8', 'US-ASCII'].includes(textOf(args[1]).toUpperCase()))
    throw new Refusal('NO', '[BADCHARSET (UTF-8 US-ASCII)] Unknown charset (Failure)')
  return args.slice(2)
}
