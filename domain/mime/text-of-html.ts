import { compile } from 'html-to-text'

/** HTML read of one message; the rest is left out. Longer ones are made to keep a parser busy. */
const HTML_CHARS_MAX = 512 * 1024
/** Elements inside each other; stops `<div>` repeated 100,000 times from exhausting the stack and the clock. */
const DEPTH_MAX = 200
/** Open elements; the parser searches all of them at every tag. Above DEPTH_MAX, for old mail never closes `<font>`. */
const OPEN_ELEMENTS_MAX = 1000

const TAG = /<(\/?)([a-z][a-z0-9]*)/gi
/** Elements that end by themselves, so that an opening tag without a closing one nests nothing. */
const SELF_ENDING: ReadonlySet<string> = new Set(
  'area base br col dd dt embed hr img input li link meta option p param source td th tr wbr'.split(
    ' ',
  ),
)

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: HTML_CHARS_MAX, maxDepth: DEPTH_MAX, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
})

/** Plain text of an HTML body, without links and pictures. Bounded in time and depth for hostile input. */
export function textOfHtml(html: string): string {
  const bounded = html.slice(0, HTML_CHARS_MAX)
  if (nestsTooDeep(bounded)) return withoutTags(bounded)
  try {
    return toText(bounded).toWellFormed()
  } catch {
    return withoutTags(bounded)
  }
}

function nestsTooDeep(html: string): boolean {
  let open = 0
  for (const [, slash, name = ''] of html.matchAll(TAG)) {
    if (SELF_ENDING.has(name.toLowerCase())) continue
    open = slash ? Math.max(0, open - 1) : open + 1
    if (open > OPEN_ELEMENTS_MAX) return true
  }
  return false
}

const withoutTags = (html: string): string =>
  html
    .replaceAll(/<[^>]*>?/g, ' ')
    .trim()
    .toWellFormed()
