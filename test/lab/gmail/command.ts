import type { SocketReader } from './socket-reader.ts'

/** An atom, a string or a literal with each byte a character, or a list. */
export type Argument = string | readonly Argument[]

export interface Command {
  readonly tag: string
  /** In upper case, without the UID before it. */
  readonly name: string
  readonly isUid: boolean
  readonly args: readonly Argument[]
}

/** The next command with its literals, each of which `goAhead` asks for; undefined after the end. */
export async function readCommand(
  reader: SocketReader,
  goAhead: () => void,
): Promise<Command | undefined> {
  let text = ''
  const literals: string[] = []
  for (;;) {
    const line = await reader.line()
    if (line === undefined) return undefined
    const [marker, size, plus] = /\{(\d+)(\+?)\}$/.exec(line) ?? []
    if (marker === undefined) return command(text + line, literals)
    if (plus === '') goAhead()
    const literal = await reader.bytes(Number(size))
    if (literal === undefined) return undefined
    // No client may send NUL, so it can stand for a literal.
    text += `${line.slice(0, -marker.length)}\0`
    literals.push(literal)
  }
}

function command(text: string, literals: readonly string[]): Command {
  const [tag = '', ...rest] = parseArguments(text, literals)
  const isUid = textOf(rest[0]).toUpperCase() === 'UID'
  const [name, ...args] = isUid ? rest.slice(1) : rest
  return { tag: textOf(tag), name: textOf(name).toUpperCase(), isUid, args }
}

// A quoted string, a literal, a parenthesis, or an atom with what it has in brackets, such as BODY[HEADER.FIELDS (To)].
const TOKEN = /"((?:[^"\\]|\\.)*)"|(\0)|([()])|((?:\[[^\]]*\]|[^ ()"\0])+)/g

function parseArguments(text: string, literals: readonly string[]): readonly Argument[] {
  const root: Argument[] = []
  const open: Argument[][] = [root]
  let literal = 0
  for (const [, quoted, isLiteral, parenthesis, atom] of text.matchAll(TOKEN)) {
    const list = open.at(-1) ?? root
    if (parenthesis === '(') {
      const inner: Argument[] = []
      list.push(inner)
      open.push(inner)
    } else if (parenthesis === ')') open.pop()
    else if (isLiteral !== undefined) list.push(literals[literal++] ?? '')
    else list.push(atom ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '')
  }
  return root
}

/** The argument where it is a string, else an empty one. */
export const textOf = (argument: Argument | undefined): string =>
  typeof argument === 'string' ? argument : ''

/** The strings of a list, or the one string itself. */
export const textsOf = (argument: Argument | undefined): readonly string[] =>
  typeof argument === 'string' ? [argument] : (argument ?? []).map(textOf)
