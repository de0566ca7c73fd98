import { compile } from 'html-to-text'
import type { Bodies } from '../../runtime/ports/body-renderer.ts'
import { htmlOfMarkdown, TooMuchMarkdown } from './markdown.ts'
import { textOfHtml } from './text-of-html.ts'

/**
 * The bodies of a message that is written in HTML or Markdown, as `BodyRenderer` promises them; but how long it takes is
 * for the caller to limit.
 */
export function renderBodies(mode: 'html' | 'markdown', written: string): Bodies | undefined {
  if (mode === 'html') return { text: textOfHtml(written), html: written }
  try {
    const html = htmlOfMarkdown(written)
    return { text: readableText(html), html }
  } catch (error) {
    // The renderer calls itself for what stands in each other, until the stack ends.
    if (error instanceof RangeError || error instanceof TooMuchMarkdown) return undefined
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
