import { expect, test } from 'vitest'

import { parseMessageIds, threadReferences } from '../../../domain/mime/message-ids.ts'

test.each([
  ['<a@example.com>', ['a@example.com']],
  ['(comment) <a@example.com> <b@example.com> <a@example.com>', ['a@example.com', 'b@example.com']],
  ['<a.long\r\n .folded@example.com>', ['a.long.folded@example.com']],
  ['<no-at-sign>', ['no-at-sign']],
  ['a@example.com', ['a@example.com']],
  ['bare', ['bare']],
  ['Your message of Tuesday a@example.com', ['a@example.com']],
  ['Your message of Tuesday', []],
  ['', []],
  ['<>', []],
  [`<${'x'.repeat(2000)}@example.com>`, []],
])('%s', (value, ids) => {
  expect(parseMessageIds(value)).toEqual(ids)
})

test('of endless references the first and the newest stay', () => {
  const ids = Array.from({ length: 5000 }, (_, at) => `${at}@example.com`)
  const kept = threadReferences(ids.map((id) => `<${id}>`).join(' '), '<answered@example.com>')
  expect(kept).toHaveLength(200)
  expect(kept[0]).toBe('0@example.com')
  expect(kept.slice(-2)).toEqual(['4999@example.com', 'answered@example.com'])
})
