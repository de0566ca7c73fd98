import { expect, test } from 'vitest'

import { generatedMailbox } from './generated-mailbox.ts'

const sources = (count: number) => [...generatedMailbox(count)].map(({ source }) => source)

test('the same bytes are made every time', () => {
  expect(Buffer.concat(sources(50)).equals(Buffer.concat(sources(50)))).toBe(true)
})

test('messages are 14 KB on average, oldest first, each with an id of its own', () => {
  const messages = [...generatedMailbox(3_000)]
  const bytes = messages.reduce((sum, { source }) => sum + source.byteLength, 0)
  expect(bytes / messages.length).toBeGreaterThan(13_000)
  expect(bytes / messages.length).toBeLessThan(15_500)
  const dates = messages.map(({ internalDate }) => internalDate.getTime())
  expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  const ids = messages.map(
    ({ source }) => /^Message-ID: (.+)$/m.exec(Buffer.from(source).toString())?.[1],
  )
  expect(new Set(ids).size).toBe(3_000)
})

test('every shape is there', () => {
  const all = sources(300).map((source) => Buffer.from(source).toString('latin1'))
  const count = (pattern: RegExp) => all.filter((source) => pattern.test(source)).length
  expect(count(/multipart\/alternative/)).toBeGreaterThan(30)
  expect(count(/Content-Disposition: attachment/)).toBeGreaterThan(10)
  expect(count(/^List-Unsubscribe: /m)).toBeGreaterThan(10)
  expect(count(/^References: /m)).toBeGreaterThan(50)
  expect(count(/^Subject: =\?UTF-8\?B\?/m)).toBeGreaterThan(5)
})
