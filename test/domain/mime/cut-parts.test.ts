import { expect, test } from 'vitest'

import { digestMessage } from '../../../domain/mime/digest-message.ts'
import { message } from '../../support/mime-fixtures.ts'

/** A text inside so many multiparts, each with an attachment before it. */
const nested = (depth: number): Uint8Array => {
  const open = (at: number) =>
    `Content-Type: multipart/mixed; boundary=b${at}x\r\n\r\n--b${at}x\r\n` +
    `Content-Type: a/b; name=${at}\r\n\r\n${at}\r\n--b${at}x\r\n`
  const levels = Array.from({ length: depth }, (_, at) => open(at))
  return message('Subject: nested', `${levels.join('')}Content-Type: text/plain\r\n\r\ninnermost`)
}

const withParts = (count: number): Uint8Array =>
  message(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...Array.from(
      { length: count },
      (_, at) => `--b\r\nContent-Type: a/b; name=${at}\r\n\r\n${at}`,
    ),
    '--b--',
  )

test('a hundred multiparts inside each other are read, and no more', async () => {
  const within = await digestMessage(nested(99))
  expect(within.attachments).toHaveLength(99)
  expect(within.text).toBe('innermost')

  const beyond = await digestMessage(nested(300))
  expect(beyond.subject).toBe('nested')
  expect(beyond.attachments.length).toBeGreaterThanOrEqual(99)
  expect(beyond.attachments.length).toBeLessThanOrEqual(101)
  expect(beyond.text).toBe('')
})

test('two thousand parts are read, the message itself among them, and no more', async () => {
  expect((await digestMessage(withParts(1999))).attachments).toHaveLength(1999)
  const beyond = await digestMessage(withParts(5000))
  expect(beyond.attachments).toHaveLength(1999)
  expect(beyond.attachments.at(-1)).toMatchObject({ filename: '1998', size: 4 })
})

test('headers of parts are read up to a megabyte in all, and what lies behind is shown as text', async () => {
  const filler = `X: ${'x'.repeat(996)}\r\n`.repeat(1100)
  const { attachments, text } = await digestMessage(
    message(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\nContent-Type: a/b; name=first\r\n\r\n1',
      `--b\r\n${filler}Content-Type: a/b; name=second\r\n\r\n22`,
      '--b\r\nContent-Type: a/b; name=third\r\n\r\n333',
      '--b--',
    ),
  )
  expect(attachments.map(({ filename }) => filename)).toEqual(['first'])
  expect(text).toBe('22\n333')
})
