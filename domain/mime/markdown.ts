import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'

/** Cells of all tables. A short row gets the cells that its header has. */
const CELLS_MAX = 20_000
/** Of where links lead, each time they are written: a definition may be used often. */
const LINKED_CHARS_MAX = 1_000_000
/** The line under the header of a table (GFM section 4.10), and what may be its rows. */
const TABLE = /^[^\n]+\n {0,3}(?=[^\n]*[:|])([-:| ]+)(?:\n|$)((?:[^\n]*\S[^\n]*(?:\n|$))*)/

/** The markdown would become many times as long. */
export class TooMuchMarkdown extends Error {
  override readonly name = 'TooMuchMarkdown'
}

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
    // Nothing that spans others: a number would be enough to make a text of any size.
    th: ['align'],
    td: ['align'],
    abbr: ['title'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
  allowProtocolRelative: false,
  parseStyleAttributes: false,
}

/**
 * The HTML of GitHub-flavoured markdown: line breaks stay, and what could run or hide anything goes. Throws
 * `TooMuchMarkdown`, and a `RangeError` for what stands too deep in each other.
 */
export const htmlOfMarkdown = (markdown: string): string =>
  sanitizeHtml(boundedMarked().parse(markdown, { async: false }), SHOWN).trim()

/** False has the text rendered as ever. */
function refuse(isTooMuch: boolean): false {
  if (isTooMuch) throw new TooMuchMarkdown('The markdown takes too much room.')
  return false
}

/** A renderer for one text, which gives up on what is made to become a huge one. */
function boundedMarked(): Marked {
  let cells = 0
  let linkedChars = 0
  const refuseLong = ({ href, title }: { href: string; title?: string | null }) => {
    linkedChars += href.length + (title?.length ?? 0)
    return refuse(linkedChars > LINKED_CHARS_MAX)
  }
  return new Marked<string>({
    gfm: true,
    breaks: true,
    async: false,
    tokenizer: {
      table(source) {
        cells += cellsOf(source)
        return refuse(cells > CELLS_MAX)
      },
    },
    renderer: {
      // Mail programs drop form controls, so a box of a task list is a character.
      checkbox: ({ checked }) => (checked ? '\u2611 ' : '\u2610 '),
      link: refuseLong,
      image: refuseLong,
    },
  })
}

/** How many cells the table has that may begin here. */
function cellsOf(source: string): number {
  const [, delimiters = '', rows = ''] = TABLE.exec(source) ?? []
  return delimiters.split('|').length * rows.split('\n').length
}
