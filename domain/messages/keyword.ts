import { isLabelName } from './label-name.ts'

/** What an IMAP atom cannot hold (RFC 3501 section 9), and what begins an encoded run. */
const NOT_IN_ATOMS = /&|[^\x21-\x7e]|[(){%*"\\\]]/u
const RUNS = new RegExp(`&|(?:(?!&)${NOT_IN_ATOMS.source})+`, 'gu')

/**
 * The keyword by which a server keeps a label (contract section 3): what no keyword can hold is written as in
 * mailbox names (modified UTF-7, RFC 3501 section 5.1.3), spaces too.
 */
export const keywordOf = (label: string): string =>
  label.replaceAll(RUNS, (run) => (run === '&' ? '&-' : `&${encoded(run)}-`))

/** The label that a keyword stands for; a keyword that no label of ours would get is its own label. */
export function labelOf(keyword: string): string {
  const label = keyword.replaceAll(/&([\w+,]*)-/g, (_, run: string) =>
    run === '' ? '&' : decoded(run),
  )
  return isLabelName(label) && keywordOf(label) === keyword ? label : keyword
}

function encoded(run: string): string {
  const units = Array.from(run, (char) => char.split('')).flat()
  const bytes = units.flatMap((unit) => [unit.charCodeAt(0) >> 8, unit.charCodeAt(0) & 0xff])
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('=', '')
    .replaceAll('/', ',')
}

function decoded(run: string): string {
  let bytes: string
  try {
    bytes = atob(run.replaceAll(',', '/'))
  } catch {
    return ''
  }
  const units = Array.from({ length: bytes.length >> 1 }, (_, index) =>
    String.fromCharCode((bytes.charCodeAt(2 * index) << 8) | bytes.charCodeAt(2 * index + 1)),
  )
  return units.join('')
}
