import { describe, expect, test } from 'vitest'
import { diffFlags, diffVanished } from '../../../domain/sync/diff-folder.ts'

const confirmed = [
  { id: 11, uid: 1, serverFlags: ['\\Seen'], serverLabels: null },
  { id: 12, uid: 2, serverFlags: [], serverLabels: null },
]

describe('diffFlags', () => {
  test('flags that are as they were change nothing', () => {
    expect(diffFlags(confirmed, [{ uid: 1, flags: ['\\Seen'] }])).toEqual({
      changed: [],
      newUids: [],
    })
  })

  test('other flags are a change of the known message', () => {
    expect(diffFlags(confirmed, [{ uid: 2, flags: ['\\Seen'], modseq: 9n }]).changed).toEqual([
      { id: 12, uid: 2, flags: ['\\Seen'], modseq: 9n },
    ])
  })

  test('unknown UIDs are new messages, newest first', () => {
    const reported = [3, 5, 4].map((uid) => ({ uid, flags: [] }))
    expect(diffFlags(confirmed, reported).newUids).toEqual([5, 4, 3])
  })
})

describe('diffVanished', () => {
  test('names the messages whose UID is gone', () => {
    expect(diffVanished(confirmed, [2, 3])).toEqual([confirmed[0]])
  })

  test('an emptied mailbox leaves none', () => {
    expect(diffVanished(confirmed, [])).toEqual(confirmed)
  })
})

test('of two answers about one message the later one counts', () => {
  const confirmed = [{ id: 1, uid: 7, serverFlags: [], serverLabels: null }]
  const { changed } = diffFlags(confirmed, [
    { uid: 7, flags: ['\\Flagged'], modseq: 10n },
    { uid: 7, flags: [], modseq: 11n },
  ])
  expect(changed).toEqual([])
})
