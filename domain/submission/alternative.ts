import { compile } from 'html-to-text'
import { invalidRequest } from '../errors.ts'
import { textOfHtml } from '../mime/text-of-html.ts'
import { htmlOfMarkdown, TooMuchMarkdown } from './markdown.ts'

export type BodyMode = 'plain' | 'html' | 'markdown'

export interface Bodies {
  readonly text: string
  readonly html?: string
}

/** What this service itself shows of a message; markdown takes a while to render. */
const BODY_CHARS_MAX: Readonly<Record<BodyMode, number>> = {
  plain: 2_000_000,
  html: 2_000_000,
  markdown: 50_000,
}

/**
 * The bodies of a message: html and markdown get a text that says the same. Throws `invalid_request` for a body that is
 * too long to be shown, or holds NUL or halves of characters.
 */
export function bodiesOf(mode: BodyMode, body: string): Bodies {
  if (body.length > BODY_CHARS_MAX[mode]) {
    throw invalidRequest(`body: has at most ${BODY_CHARS_MAX[mode]} characters in mode ${mode}.`)
  }
  if (body.includes('\0')) throw invalidRequest('body: must not hold NUL.')
  if (!body.isWellFormed()) throw invalidRequest('body: must be well-formed Unicode.')
  if (mode === 'plain') return { text: body }
  if (mode === 'html') return { text: textOfHtml(body), html: body }
  return bodiesOfMarkdown(body)
}

function bodiesOfMarkdown(markdown: string): Bodies {
  try {
    const html = htmlOfMarkdown(markdown)
    return { text: readableText(html), html }
  } catch (error) {
    // The renderer calls itself for what stands in each other, until the stack ends.
    if (error instanceof RangeError || error instanceof TooMuchMarkdown) {
      throw invalidRequest('body: the markdown is nested too deeply, or takes too much to render.')
    }
    throw error
  }
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** Where links lead is written behind them, and tables stay tables. */
const readableText = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    { selector: 'img', options: { linkBrackets: ['<', '>'] } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})
