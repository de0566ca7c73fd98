import { expect, test } from 'vitest'

import { replyText } from '../../../domain/mime/reply-text.ts'
import { threadCpuMs } from '../../support/thread-cpu-ms.ts'

test.each([
  [
    'a quoted history',
    'Yes.\n\nOn Tue, 3 Feb 2026 at 10:11, Ada <ada@example.com> wrote:\n> Lunch?\n> Ada',
    'Yes.',
  ],
  [
    'a wrapped attribution',
    'Yes.\n\nOn Tue, 3 Feb 2026 at 10:11, Ada Lovelace\n<ada@example.com> wrote:\n\n> Lunch?',
    'Yes.',
  ],
  ['another language', 'Ja.\n\nAm 03.02.2026 um 10:11 schrieb Ada:\n> Essen?', 'Ja.'],
  ['answers between quotations', 'On Monday, Ada wrote:\n> One?\nYes.\n> Two?\nNo.\n', 'Yes.\nNo.'],
  [
    'a history without marks',
    'Done.\n\nOn Monday 2 Feb, Ada wrote:\n\nPlease do it.\nAda',
    'Done.',
  ],
  [
    'an Outlook header block',
    'Done.\n\n________________________________\nFrom: Ada\nSent: Monday\nTo: Bob\n\nPlease.',
    'Done.',
  ],
  ['a header block alone', 'Done.\n\nFrom: Ada\nSent: Monday\nSubject: x\n\nPlease.', 'Done.'],
  ['the original message', 'Done.\n-----Original Message-----\nFrom: Ada\n\nPlease.', 'Done.'],
  ['a signature', 'Done.\r\n-- \r\nBob\r\nExample Ltd', 'Done.'],
  ['a telephone', 'Done.\n\nSent from my iPhone\n\n> On 3 Feb, Ada wrote:\n> x', 'Done.'],
])('%s goes', (_, text, reply) => {
  expect(replyText(text)).toBe(reply)
})

test('what only looks like a history stays', () => {
  const text =
    'On Monday we wrote:\n\nnothing\n\nFrom: here to there.\n\n--- a rule ---\nSent from my heart, this goes on.'
  expect(replyText('No history at all.\n\nFrom: here to there.')).toContain('From: here to there.')
  expect(replyText(text.slice(text.indexOf('From')))).toContain('this goes on')
})

test('a million lines take linear time', () => {
  const start = threadCpuMs()
  replyText('From: x\nSent from my x\nOn x, y\n'.repeat(100_000))
  expect(threadCpuMs() - start).toBeLessThan(3000)
})
