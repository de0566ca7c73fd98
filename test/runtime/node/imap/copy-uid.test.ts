import type { ImapResponse } from 'imapflow'
import { expect, test } from 'vitest'
import { copyUids } from '../../../../runtime/node/imap/copy-uid.ts'

/** An OK as imapflow parses it. */
const ok = (...code: readonly string[]): ImapResponse => ({
  command: 'OK',
  attributes: [{ type: 'ATOM', section: code.map((value) => ({ type: 'ATOM', value })) }],
})

function relocated(asked: readonly number[], ...oks: readonly ImapResponse[]) {
  const moved = copyUids(asked)
  for (const said of oks) moved.hear(said)
  return moved.relocated()
}

test('pairs UIDs in their order', () => {
  expect(relocated([1, 2, 3, 9], ok('COPYUID', '38505', '1:3,9', '7,10:12'))).toEqual({
    uidValidity: 38_505n,
    uids: new Map([
      [1, 7],
      [2, 10],
      [3, 11],
      [9, 12],
    ]),
  })
})

test('joins what several commands and responses say', () => {
  const oks = [
    ok('COPYUID', '5', '1', '10'),
    ok('HIGHESTMODSEQ', '7'),
    ok('COPYUID', '5', '2', '9'),
  ]
  expect(relocated([1, 2], ...oks)?.uids).toEqual(
    new Map([
      [1, 10],
      [2, 9],
    ]),
  )
})

test('knows nothing where the mailbox was made anew in between', () => {
  expect(
    relocated([1, 2], ok('COPYUID', '5', '1', '10'), ok('COPYUID', '6', '2', '1')),
  ).toBeUndefined()
})

test.each([
  [],
  ['COPYUID'],
  ['COPYUID', '5'],
  ['COPYUID', '5', '1:2', '10'],
  ['COPYUID', '5', '1', '10:11'],
  ['COPYUID', '5', '1:4294967295', '1:4294967295'],
  ['COPYUID', '1e5', '1', '10'],
  ['COPYUID', '5', '1:*', '10:*'],
  ['COPYUID', '5', '', ''],
  ['COPYUID', '5', '1:2', '11:10'],
  ['COPYUID', '99999999999', '1', '10'],
])('believes nothing that is no COPYUID: %j', (...code) => {
  expect(relocated([1, 2], ok(...code))).toBeUndefined()
})

test('believes nothing of messages that were not asked for', () => {
  expect(relocated([1, 2], ok('COPYUID', '5', '2,77', '10,11'))?.uids).toEqual(new Map([[2, 10]]))
})

test('an answer without any text is no news', () => {
  expect(relocated([1], { command: 'OK' }, { command: 'OK', attributes: [null] })).toBeUndefined()
})
