import * as fc from 'fast-check'

/** Words that meet those of the mail in `search-mailbox.ts`, and words that meet nothing. */
const WORDS =
  'alpha beta Gamma naïve NAIVE straße al x nowhere 2024 10:30 東京 京 東京都 ภาษา 학교 ada@example.org example ' +
  'https://example.org/a report.pdf 😀 a-b o\'neil NEAR ^x * - " ( ) OR AND :'
const OPERATORS = 'from to cc bcc subject body filename label account in msgid is has nope'
const VALUES =
  'read unread starred unstarred answered draft attachment link inbox Archive Ärchiv Work work "to do" ÉTÉ ada ' +
  'grace one@example.org'
const CONDITIONS =
  'before:2024-01-03 after:2024-01-02 on:2024-01-02 on:2024-13-01 older_than:2d newer_than:2d ' +
  'older_than:3d newer_than:3d older_than:1m larger:1kb smaller:1kb larger:600 larger:x ' +
  'thread:1 thread:2 thread:3 thread:999 is:unread has:attachment has:link'

const oneOf = (words: string) => fc.constantFrom(...words.split(' '))

const word = fc.oneof(
  { weight: 4, arbitrary: oneOf(WORDS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
)
const quoted = fc.array(word, { maxLength: 3 }).map((words) => `"${words.join(' ')}"`)
const starred = word.map((text) => `${text}*`)
const value = fc.oneof(word, quoted, starred, oneOf(VALUES))
const term = fc.oneof(
  word,
  quoted,
  starred,
  oneOf(CONDITIONS),
  fc.tuple(oneOf(OPERATORS), value).map(([name, text]) => `${name}:${text}`),
)

const { group } = fc.letrec<{ group: string }>((tie) => ({
  group: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    term,
    fc
      .tuple(
        fc.constantFrom('', '-', 'from:', 'label:', 'is:'),
        fc.array(tie('group'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(' ', ' ', ' OR ', ' AND '),
      )
      .map(([before, parts, between]) => `${before}(${parts.join(between)})`),
    tie('group').map((text) => `-${text}`),
  ),
}))

/** Queries as people, programs and attackers write them. */
export const anyQuery = fc
  .tuple(fc.array(group, { minLength: 1, maxLength: 4 }), fc.constantFrom(' ', ' ', ' OR '))
  .map(([parts, between]) => parts.join(between))
