import { allOf, anyOf, negated } from './combine.ts'
import type { SearchExpression, SearchQuery } from './expression.ts'
import { isOperator, operatorTerm } from './operator-term.ts'
import { queryTokens, type QueryToken, type TermToken } from './query-tokens.ts'
import { shown } from './shown.ts'
import { termBudget, type TermBudget } from './term-budget.ts'

type TextTerm = Extract<SearchExpression, { kind: 'text' }>

/** What is read of a query; nobody types more. */
const QUERY_CHARS_MAX = 10_000
/** Brackets inside each other. */
const DEPTH_MAX = 20

/**
 * What a query asks for (contract section 5). `OR` separates alternatives, each of which asks for all of its terms.
 * Every text is a query: what looks like an operator and is none is searched as text, and a warning says so, as it
 * does of all that is left out. `nowMs`, milliseconds UTC, is what ages count from.
 */
export function parseQuery(query: string, nowMs: number): SearchQuery {
  const warnings = new Set<string>()
  const warn = (warning: string) => void warnings.add(warning)
  if (query.length > QUERY_CHARS_MAX)
    warn(`Only the first ${QUERY_CHARS_MAX.toLocaleString('en')} characters were searched for.`)
  const written = queryTokens(query.slice(0, QUERY_CHARS_MAX).toWellFormed())
  const tokens = written.filter(({ kind }) => kind !== 'stray_quote')
  if (tokens.length < written.length) warn('A quotation mark without a partner was left out.')
  const parser = new QueryParser(tokens, { nowMs, warn, budget: termBudget(warn) })
  const expression = parser.whole()
  if (!expression && warnings.size === 0) warn('The query holds nothing to search for.')
  return { ...(expression && { expression }), warnings: [...warnings] }
}

interface ParserContext {
  readonly nowMs: number
  readonly warn: (warning: string) => void
  readonly budget: TermBudget
}

/** What the brackets around a term say of it. */
interface Surroundings {
  readonly depth: number
  /** The operator before them. */
  readonly operator: string | undefined
}

/** A class for its place in the tokens. */
class QueryParser {
  readonly #tokens: readonly QueryToken[]
  readonly #context: ParserContext
  #at = 0

  constructor(tokens: readonly QueryToken[], context: ParserContext) {
    this.#tokens = tokens
    this.#context = context
  }

  whole(): SearchExpression | undefined {
    const parts: SearchExpression[] = []
    while (this.#at < this.#tokens.length) {
      const part = this.#alternatives({ depth: 0, operator: undefined })
      if (part) parts.push(part)
      // A bracket that closes nothing has ended the part.
      if (this.#at < this.#tokens.length) {
        this.#at += 1
        this.#warn('A closing bracket without an opening one was left out.')
      }
    }
    return allOf(parts)
  }

  /** Up to the bracket that closes them, or the end. */
  #alternatives(around: Surroundings): SearchExpression | undefined {
    const alternatives: SearchExpression[] = []
    let terms: SearchExpression[] = []
    for (;;) {
      const token = this.#tokens[this.#at]
      if (token === undefined || token.kind === 'close') break
      this.#at += 1
      if (token.kind === 'or' && this.#joins()) {
        const alternative = allOf(terms)
        if (alternative) alternatives.push(alternative)
        terms = []
        continue
      }
      const term = this.#unit(token, around)
      if (term) terms.push(term)
    }
    const last = allOf(terms)
    return anyOf(last ? [...alternatives, last] : alternatives)
  }

  /** Whether what was just read, an OR or AND, stands between two terms. */
  #joins(): boolean {
    const before = this.#tokens[this.#at - 2]?.kind
    const after = this.#tokens[this.#at]?.kind
    return (before === 'term' || before === 'close') && (after === 'term' || after === 'open')
  }

  #unit(token: QueryToken, around: Surroundings): SearchExpression | undefined {
    if (token.kind === 'open') return this.#group(token, around)
    if (token.kind === 'term') return this.#term(token, around)
    return token.kind === 'and' && this.#joins() ? undefined : this.#asText(token.raw, token.raw)
  }

  #group(
    { operator = '', isNegated, raw }: Extract<QueryToken, { kind: 'open' }>,
    around: Surroundings,
  ): SearchExpression | undefined {
    if (around.depth === DEPTH_MAX) {
      this.#warn(`Brackets deeper than ${DEPTH_MAX} levels were left out.`)
      return undefined
    }
    const isUnknown = operator !== '' && !isOperator(operator)
    const inside = isUnknown || operator === '' ? around.operator : operator
    const inner = this.#alternatives({ depth: around.depth + 1, operator: inside })
    if (this.#tokens[this.#at]?.kind === 'close') this.#at += 1
    else this.#warn('A bracket that is not closed was read as closed at the end.')
    const name = isUnknown ? this.#asText(raw, operator) : undefined
    const group = allOf([name, inner].filter((part) => part !== undefined))
    return group && isNegated ? negated(group) : group
  }

  #term(token: TermToken, around: Surroundings): SearchExpression | undefined {
    if (!this.#context.budget.takeTerm()) return undefined
    const term = this.#value(token, token.operator ?? around.operator)
    return term && token.isNegated ? negated(term) : term
  }

  #value(token: TermToken, operator: string | undefined): SearchExpression | undefined {
    const { raw, text, isPrefix } = token
    if (operator === undefined) return this.#words(raw, { field: 'any', text, isPrefix })
    const term = operatorTerm(operator, { ...token, nowMs: this.#context.nowMs })
    if (term?.kind === 'text') return this.#words(raw, term)
    if (term) return term
    const isInside = token.operator === undefined
    const whole = isInside ? text : `${operator}:${text}`
    // A word that ends with a colon is nothing odd, unless it is one of the operators.
    if (isOperator(operator) || text !== '')
      this.#warnOfText(isInside ? `${operator}:(${raw})` : raw)
    return this.#words(raw, { field: 'any', text: whole, isPrefix })
  }

  #asText(raw: string, text: string): SearchExpression | undefined {
    this.#warnOfText(raw)
    return this.#words(raw, { field: 'any', text, isPrefix: false })
  }

  #words(
    raw: string,
    { field, text, isPrefix }: Pick<TextTerm, 'field' | 'text' | 'isPrefix'>,
  ): SearchExpression | undefined {
    const words = this.#context.budget.takeWords({ text, isPrefix }, shown(raw))
    return words && { kind: 'text', field, ...words }
  }

  #warnOfText(raw: string): void {
    this.#warn(`${shown(raw)} is no valid operator and was searched for as text.`)
  }

  #warn(warning: string): void {
    this.#context.warn(warning)
  }
}
