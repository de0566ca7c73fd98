import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_MAIL, mail, stateOf, TRASH } from '../../../lab/gmail/small-mail.ts'
import { type LabGmail, startGmail } from '../../../lab/gmail-imap.ts'
import { openSession } from '../../../support/imap-session.ts'

const SPAM = '[Gmail]/Spam'

let gmail: LabGmail
beforeAll(async () => {
  gmail = await startGmail()
})
afterAll(() => gmail.stop())

/** A session that has All Mail open with these messages, each with this label besides the inbox. */
async function setUp(names: readonly string[], label = 'Work') {
  const user = await gmail.addUser()
  const labels = ['\\Inbox', label]
  const msgids = names.map((name) => gmail.deliver(mail(name), { user, labels }))
  const session = await openSession(gmail, user, ALL_MAIL)
  const states = () => msgids.map((msgid) => stateOf(gmail, msgid))
  return { session, states }
}

test('labels of any name are added and removed, and all others stay', async () => {
  const { session, states } = await setUp(['one', 'two'])
  const names = ['To do', 'Grüße/日本 & "co"', 'back\\slash', '[brackets] {3}', '(a)', 'Plan 😀']
  await session.storeGmailLabels([1], { add: [...names, '\\Important'], remove: ['\\Inbox'] })
  const [one, two] = states()
  expect(one?.labels).toEqual([...names, 'Work', '\\Important'].toSorted())
  expect(two?.labels).toEqual(['Work', '\\Inbox'])
  const { flags } = await session.fetchChanges({})
  expect(flags[0]?.gmailLabels).toEqual([...names, 'Work', '\\Important'].toSorted())

  await session.storeGmailLabels([1, 2, 99], { remove: [...names, '\\Important'] })
  expect(states().map(({ labels }) => labels)).toEqual([['Work'], ['Work', '\\Inbox']])
  await session.storeFlags([1], { add: ['\\Seen', '\\Flagged'] })
  expect(states()[0]?.flags).toEqual(['\\Flagged', '\\Seen'])
})

test.each(['a\r\nX LOGOUT', 'nul\0'])('%j is no label', async (label) => {
  const { session, states } = await setUp(['one'])
  const storing = session.storeGmailLabels([1], { remove: ['Work'], add: [label] })
  await expect(storing).rejects.toThrow('no line break')
  expect(states()[0]?.labels).toContain('Work')
})

test('a label that Gmail does not have is refused in its words', async () => {
  const { session } = await setUp(['one'])
  await expect(session.storeGmailLabels([1], { add: ['\\Nonsense'] })).rejects.toMatchObject({
    kind: 'refused',
    message: 'Could not parse command',
  })
})

test.each([
  [TRASH, [], []],
  [SPAM, ['Work'], ['Work']],
])('a message moves from All Mail to %s and back', async (place, there, back) => {
  const { session, states } = await setUp(['one', 'two', 'three'])
  const moved = await session.moveMessages([1, 3], place)
  expect(moved?.uids).toEqual(
    new Map([
      [1, 1],
      [3, 2],
    ]),
  )
  expect(states().map(({ mailbox }) => mailbox)).toEqual([place, ALL_MAIL, place])
  expect(states()[0]?.labels).toEqual(there)
  expect(await session.searchUids()).toEqual([2])

  expect((await session.select(place)).uidValidity).toBe(moved?.uidValidity)
  expect((await session.moveMessages([2], ALL_MAIL))?.uids).toEqual(new Map([[2, 4]]))
  expect(states()[2]).toMatchObject({ mailbox: ALL_MAIL, labels: back })
  expect(await session.searchUids()).toEqual([1])
})

test('out of the inbox a message goes to the archive, which is All Mail', async () => {
  const { session, states } = await setUp(['one'])
  await session.select('INBOX')
  expect((await session.moveMessages([1], ALL_MAIL))?.uids).toEqual(new Map([[1, 1]]))
  expect(states()[0]).toMatchObject({ mailbox: ALL_MAIL, labels: ['Work'] })
})

test('expunged from Trash a message is gone for good, and only it', async () => {
  const user = await gmail.addUser()
  const msgids = ['one', 'two'].map((name) =>
    gmail.deliver(mail(name), { user, labels: ['\\Trash'] }),
  )
  const session = await openSession(gmail, user, TRASH)
  await session.expunge([1])
  expect(msgids.filter((id) => gmail.state().some(({ msgid }) => msgid === id))).toEqual([
    msgids[1],
  ])
})
