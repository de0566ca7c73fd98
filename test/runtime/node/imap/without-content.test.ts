import { expect, test } from 'vitest'
import { withoutContent } from '../../../../runtime/node/imap/without-content.ts'
import { threadCpuMs } from '../../../support/thread-cpu-ms.ts'

test.each([
  ['* 1 FETCH (BODY[] "abc" UID 8)', '* 1 FETCH (BODY[] {3 bytes} UID 8)'],
  ['* 1 FETCH (BODY[1.MIME] "abc")', '* 1 FETCH (BODY[1.MIME] {3 bytes})'],
  [
    String.raw`* 1 FETCH (BODY[TEXT]<0> "a \"b\"" UID 8)`,
    '* 1 FETCH (BODY[TEXT]<0> {7 bytes} UID 8)',
  ],
  [
    '* 1 FETCH (BODY[HEADER.FIELDS ("To" "From")] "To: b")',
    '* 1 FETCH (BODY[HEADER.FIELDS ("To" "From")] {5 bytes})',
  ],
  [
    '* 1 FETCH (RFC822.TEXT "y" BINARY[2] "zz")',
    '* 1 FETCH (RFC822.TEXT {1 bytes} BINARY[2] {2 bytes})',
  ],
  ['* 1 FETCH (BODY[] "has a ] and [ in it")', '* 1 FETCH (BODY[] {19 bytes})'],
  ['* 1 FETCH (BODY[ "no section ends', '* 1 FETCH (BODY[ {15 bytes}'],
  [String.raw`* 1 FETCH (BODY[] "no end \\`, '* 1 FETCH (BODY[] {9 bytes}'],
])('content goes, and nothing else does: %s', (line, shown) => {
  expect(withoutContent(line)).toBe(shown)
})

test.each([
  '* 1 FETCH (RFC822.SIZE 12 ENVELOPE ("Mon" "Hello" NIL))',
  '* 1 FETCH (BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "utf-8")))',
  '* 1 FETCH (BODY ("TEXT" "PLAIN"))',
  '* LIST (\\HasNoChildren) "/" "BODY of work"',
  '3 OK [READ-WRITE] Select "INBOX" completed',
])('a line without content stays: %s', (line) => {
  expect(withoutContent(line)).toBe(line)
})

test.each(['BODY[', '"BODY[', 'BODY[] "', '\\"', '[', '(* 1B', 'RFC822', 'BODY["x"]<0>'])(
  'a hostile line of %s takes time in proportion to its length',
  (part) => {
    const startedMs = threadCpuMs()
    withoutContent(`* LIST () "/" "${part.repeat(400_000 / part.length)}"`)
    withoutContent(`* 1 FETCH (${part.repeat(400_000 / part.length)} x`)
    expect(threadCpuMs() - startedMs).toBeLessThan(1_000)
  },
)
