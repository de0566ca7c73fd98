import { expect, test } from 'vitest'
import { threadHeaders } from '../../../domain/submission/thread-headers.ts'

test.each([
  [
    'the chain, then the original',
    { messageIdHeader: '3@x', references: ['1@x', '2@x'] },
    ['1@x', '2@x', '3@x'],
  ],
  [
    'the original once, and last',
    { messageIdHeader: '1@x', references: ['1@x', '2@x'] },
    ['2@x', '1@x'],
  ],
  ['the original alone', { messageIdHeader: '1@x', references: [] }, ['1@x']],
  [
    'the chain alone, for an original without an id',
    { messageIdHeader: null, references: ['1@x'] },
    ['1@x'],
  ],
  [
    'nothing that could not be written',
    {
      messageIdHeader: 'a\r\nBcc: b@x',
      references: ['ü@x', 'a b@x', 'a>b@x', 'x'.repeat(991), '1@x'],
    },
    ['1@x'],
  ],
])('%s', (_what, original, references) => {
  const headers = threadHeaders(original)
  expect(headers.references).toEqual(references)
  const isKnown = references.at(-1) === original.messageIdHeader
  expect(headers.inReplyToHeader).toBe(isKnown ? original.messageIdHeader : undefined)
})
