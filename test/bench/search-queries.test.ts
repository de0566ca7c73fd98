import { expect, test } from 'vitest'

import { searchQueries } from './search-queries.ts'
import type { SearchedContents } from './searched-mailbox.ts'

const contents: SearchedContents = {
  names: ['lovelace'],
  wordsIn: (messages) => [messages === 800 ? 'very' : messages === 100 ? 'common' : 'rare'],
  sentences: ['one norangal readori tomarin'],
  ideographs: ['漢字仮名交'],
  correspondents: [],
}
const kinds = searchQueries(contents, 1_000)
const queriesOf = (what: string) => kinds.find((kind) => kind.what === what)?.queries ?? []
const oursOf = (what: string) => [...new Set(queriesOf(what).map(({ ours }) => ours))].toSorted()

test('each asks the same of both, in the language of each', () => {
  expect(queriesOf('a word of 10 % without one of 80 %')[0]).toEqual({
    ours: 'common -very',
    notmuch: '"common" and not "very"',
  })
  expect(queriesOf('one of three words of 10 % each')[0]).toEqual({
    ours: 'common OR common OR common',
    notmuch: '"common" or "common" or "common"',
  })
  expect(queriesOf('is:unread has:attachment, and a word of 10 %')[0]).toEqual({
    ours: 'is:unread has:attachment common',
    notmuch: 'tag:unread and tag:attachment and "common"',
  })
  expect(queriesOf('from: a name')[0]).toEqual({ ours: 'from:lovelace', notmuch: 'from:lovelace' })
})

test('phrases and parts of words are from the mailbox', () => {
  expect(oursOf('a phrase of three words')).toEqual([
    '"norangal readori tomarin"',
    '"one norangal readori"',
  ])
  expect(oursOf('4 ideographs')).toEqual(['字仮名交', '漢字仮名'])
})

test('no prefix is asked for that is something else to notmuch', () => {
  expect(oursOf('a prefix of 5 letters')).toEqual(['noran*', 'reado*', 'tomar*'])
  expect(oursOf('a prefix of 3 letters')).toEqual(['nor*', 'tom*'])
})
