import { RE2JS } from 're2js'
import { invalidRequest } from '../errors.ts'

/** Repetitions are written out when a pattern is compiled; the sum of all of them stops that from taking long. */
const REPETITIONS_MAX = 2000
const REPETITION = /\{(\d{1,9})(?:,(\d{0,9}))?\}/g
/** Instructions of a compiled pattern. Matching takes at most their number times that of the characters. */
const INSTRUCTIONS_MAX = 1000
/** Steps of one match, at worst a second. A pattern of twenty instructions reads two million characters with them. */
const STEPS_MAX = 40_000_000

/** Whether a text has a match of a pattern. Linear in the length of the text, whatever the pattern. */
export type Regex = (text: string) => boolean

/**
 * Compiles a regular expression in RE2 syntax, case-sensitive. A very large one reads only the first 40,000
 * characters of a text. Throws `invalid_request` for one that does not compile, or is larger than that.
 */
export function compileRegex(pattern: string): Regex {
  const regex = compiled(pattern)
  const instructions = regex?.programSize() ?? Infinity
  if (!regex || instructions > INSTRUCTIONS_MAX) {
    throw invalidRequest('The regular expression is too large.')
  }
  const charsMax = Math.floor(STEPS_MAX / instructions)
  return (text) => regex.test(text.length > charsMax ? text.slice(0, charsMax) : text)
}

function compiled(pattern: string): RE2JS | undefined {
  if (repetitionsOf(pattern) > REPETITIONS_MAX) return undefined
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw invalidRequest(
      `This is no regular expression in RE2 syntax: ${reason.replace('error parsing regexp: ', '')}.`,
    )
  }
}

function repetitionsOf(pattern: string): number {
  let sum = 0
  for (const [, least = '', most] of pattern.matchAll(REPETITION)) sum += Number(most || least)
  return sum
}
