import { expect, test } from 'vitest'
import { labelName } from '../../../domain/messages/label-name.ts'

test.each(['bills', 'to do', 'Über', '請求書', 'a/b', '"quoted" (x) {y} %*\\', 'junk mail'])(
  '%s is a label',
  (name) => {
    expect(labelName(` ${name} `)).toBe(name)
  },
)

test.each([
  '',
  '  ',
  'a\r\nX1 DELETE INBOX',
  'a\nb',
  'a\0b',
  'a\tb',
  'a\u0085b',
  'a\u2028b',
  'bills\n',
  '\\Seen',
  '$Forwarded',
  'Junk',
  'NONJUNK',
  'x'.repeat(10_000),
])('%j is none', (name) => {
  expect(() => labelName(name)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
