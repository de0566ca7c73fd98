import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'

/** Mail programs drop form controls, so a box of a task list is a character. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: { checkbox: ({ checked }) => (checked ? '\u2611 ' : '\u2610 ') },
})

const SHOWN_TAGS =
  'h1 h2 h3 h4 h5 h6 p br hr blockquote div span ul ol li dl dt dd pre code kbd samp var ' +
  'strong b em i u s del ins mark small sub sup q table thead tbody tfoot tr th td caption ' +
  'a img abbr cite details summary'

const SHOWN: sanitizeHtml.IOptions = {
  allowedTags: SHOWN_TAGS.split(' '),
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['align', 'colspan', 'rowspan'],
    td: ['align', 'colspan', 'rowspan'],
    abbr: ['title'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
  allowProtocolRelative: false,
  parseStyleAttributes: false,
}

/** The HTML of GitHub-flavoured markdown: line breaks stay, and what could run or hide anything goes. */
export const htmlOfMarkdown = (markdown: string): string =>
  sanitizeHtml(marked.parse(markdown, { async: false }), SHOWN).trim()
