import { describe, expect, test } from 'vitest'
import { NOTHING_PENDING } from '../../../domain/mailbox-changes/pending.ts'
import { shownAfter, shownFlags } from '../../../domain/messages/flags.ts'

describe('shownFlags', () => {
  test('system flags become booleans and keywords labels', () => {
    expect(shownFlags(['\\Answered', '\\Flagged', '\\Seen', 'work'])).toEqual({
      read: true,
      starred: true,
      answered: true,
      labels: ['work'],
    })
  })

  test('keywords that programs use among themselves are no labels', () => {
    expect(shownFlags(['$Forwarded', '$MDNSent', 'Junk', 'NonJunk', '\\Recent']).labels).toEqual([])
  })
})

describe('shownAfter', () => {
  const shown = { read: true, starred: false, answered: false, labels: ['mine'] }

  test('takes over what the server changed', () => {
    expect(shownAfter(shown, { before: [], after: ['\\Flagged'] }, NOTHING_PENDING)).toEqual({
      ...shown,
      starred: true,
    })
  })

  test('keeps a change of ours that the server does not know yet', () => {
    expect(shownAfter(shown, { before: [], after: ['work'] }, NOTHING_PENDING)).toEqual({
      ...shown,
      read: true,
      labels: ['mine', 'work'],
    })
  })

  test('keeps that it was answered, until the server knows', () => {
    const answered = { ...shown, answered: true }
    const taken = { before: ['\\Answered'], after: [] }
    const pending = { ...NOTHING_PENDING, answered: true }
    expect(shownAfter(answered, taken, pending).answered).toBe(true)
    expect(shownAfter(answered, taken, NOTHING_PENDING).answered).toBe(false)
  })

  test('labels are only ever added', () => {
    expect(shownAfter(shown, { before: ['mine'], after: [] }, NOTHING_PENDING).labels).toEqual([
      'mine',
    ])
  })

  test('a flag that the server takes away goes', () => {
    expect(shownAfter(shown, { before: ['\\Seen'], after: [] }, NOTHING_PENDING).read).toBe(false)
  })
})
