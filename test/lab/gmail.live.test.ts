import { once } from 'node:events'
import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ALL_MAIL, found, mail, stateOf, TRASH } from './gmail/small-mail.ts'
import { type LabGmail, startGmail } from './gmail-imap.ts'
import type { LabUser } from './lab-server.ts'

let gmail: LabGmail
beforeAll(async () => {
  gmail = await startGmail()
})
afterAll(() => gmail.stop())

/** A user's mail program that has this mailbox open. */
async function openedBy(user: LabUser, path: string): Promise<ImapFlow> {
  const client = await gmail.secondClient(user)
  await client.mailboxOpen(path)
  return client
}

async function fetchLabels(client: ImapFlow): Promise<readonly (readonly string[])[]> {
  const fetched = await client.fetchAll('1:*', { uid: true, labels: true })
  return fetched.map(({ labels }) => [...(labels ?? [])].toSorted())
}

test('lists its mailboxes with their special use and status, labels among them', async () => {
  const user = await gmail.addUser()
  gmail.deliver(mail('one'), { user, labels: ['\\Inbox', 'Work/Küche'] })
  gmail.deliver(mail('two'), { user, labels: ['\\Sent'], flags: ['\\Seen'] })
  const client = await gmail.secondClient(user)
  const listed = await client.list({
    statusQuery: {
      messages: true,
      unseen: true,
      uidNext: true,
      uidValidity: true,
      highestModseq: true,
    },
  })
  const bySpecialUse = listed.flatMap(({ path, specialUse, specialUseSource }) =>
    specialUse ? [[path, specialUse, specialUseSource]] : [],
  )
  expect(bySpecialUse).toEqual([
    ['INBOX', '\\Inbox', 'name'],
    ['[Gmail]/Starred', '\\Flagged', 'extension'],
    ['[Gmail]/Sent Mail', '\\Sent', 'extension'],
    ['[Gmail]/Drafts', '\\Drafts', 'extension'],
    [ALL_MAIL, '\\All', 'extension'],
    ['[Gmail]/Spam', '\\Junk', 'extension'],
    [TRASH, '\\Trash', 'extension'],
  ])
  const entry = (path: string) => listed.find((mailbox) => mailbox.path === path)
  expect(entry(ALL_MAIL)?.status).toMatchObject({ messages: 2, unseen: 1, uidNext: 3 })
  expect(entry('Work/Küche')?.status).toMatchObject({ messages: 1, unseen: 1, uidNext: 2 })
  expect(entry(ALL_MAIL)?.status?.highestModseq).toBeTypeOf('bigint')
  // Of this use imapflow knows nothing.
  expect(entry('[Gmail]/Important')?.flags).toContain('\\Important')
  for (const parent of ['[Gmail]', 'Work']) expect(entry(parent)?.flags).toContain('\\NonExistent')
  await expect(client.mailboxOpen('[Gmail]')).rejects.toMatchObject({
    serverResponseCode: 'NONEXISTENT',
  })
  const validities = listed.flatMap(({ status }) => status?.uidValidity ?? [])
  expect(new Set(validities).size).toBe(9)
})

test('one message is in All Mail and under each label, which it does not name itself', async () => {
  const user = await gmail.addUser()
  const internalDate = new Date('2026-03-01T12:00:00Z')
  gmail.deliver(mail('other'), { user, labels: [] })
  const msgid = gmail.deliver(mail('first'), {
    user,
    internalDate,
    labels: ['\\Inbox', '\\Important', 'To do', 'Work/Küche', '[Mailbox]', '+News'],
    flags: ['\\Flagged', '\\Seen', '$Phishing'],
  })
  const reply = gmail.deliver(mail('reply', 'In-Reply-To: <first@example.org>'), { user })
  const client = await openedBy(user, ALL_MAIL)
  const query = {
    uid: true,
    flags: true,
    labels: true,
    threadId: true,
    internalDate: true,
    size: true,
    source: true,
  }
  const inAllMail = found(await client.fetchOne('2', query, { uid: true }))
  expect(inAllMail).toMatchObject({ uid: 2, emailId: msgid, threadId: msgid, internalDate })
  expect([...(inAllMail.labels ?? [])].toSorted()).toEqual(
    ['+News', 'To do', 'Work/Küche', '[Mailbox]', '\\Important', '\\Inbox', '\\Starred'].toSorted(),
  )
  expect([...(inAllMail.flags ?? [])].toSorted()).toEqual(['$Phishing', '\\Flagged', '\\Seen'])
  expect(inAllMail.source?.toString()).toBe(mail('first'))
  expect(inAllMail.size).toBe(inAllMail.source?.length)

  await client.mailboxOpen('INBOX')
  const inInbox = await client.fetchAll('1:*', { ...query, headers: true })
  expect(inInbox.map(({ uid, emailId, threadId }) => ({ uid, emailId, threadId }))).toEqual([
    { uid: 1, emailId: msgid, threadId: msgid },
    { uid: 2, emailId: reply, threadId: msgid },
  ])
  expect(inInbox[0]?.labels).not.toContain('\\Inbox')
  expect(inInbox[0]?.labels).toContain('\\Starred')
  expect(inInbox[0]?.headers?.toString()).toBe(mail('first').replace(/Grüße[^]*/, ''))
  await client.mailboxOpen('Work/Küche')
  expect(await fetchLabels(client)).toEqual([
    ['+News', 'To do', '[Mailbox]', '\\Important', '\\Inbox', '\\Starred'].toSorted(),
  ])
})

test('pushes what happens elsewhere to every program that waits', async () => {
  const user = await gmail.addUser()
  const early = gmail.deliver(mail('early'), { user })
  const [inbox, allMail] = [await openedBy(user, 'INBOX'), await openedBy(user, ALL_MAIL)]
  const idling = [inbox.idle(), allMail.idle()]
  const arrivals = Promise.all([once(inbox, 'exists'), once(allMail, 'exists')])
  gmail.deliver(mail('late'), { user })
  expect(await arrivals).toMatchObject([[{ count: 2, prevCount: 1 }], [{ count: 2, prevCount: 1 }]])

  const starred = Promise.all([once(inbox, 'flags'), once(allMail, 'flags')])
  gmail.setFlags(early, ['\\Flagged'])
  expect(await starred).toMatchObject([[{ seq: 1, uid: 1 }], [{ seq: 1, uid: 1 }]])

  const gone = once(inbox, 'expunge')
  const changed = once(allMail, 'flags')
  gmail.setLabels(early, ['Archive'])
  expect(await gone).toMatchObject([{ seq: 1, path: 'INBOX' }])
  expect(await changed).toMatchObject([{ seq: 1, uid: 1 }])

  const trashed = once(allMail, 'expunge')
  gmail.trash(early)
  expect(await trashed).toMatchObject([{ seq: 1, path: ALL_MAIL }])
  await Promise.all([inbox.noop(), allMail.noop(), ...idling])
  const late = found(await allMail.fetchOne('1', { uid: true, source: true }))
  expect(late.uid).toBe(2)
  expect(late.source?.toString()).toBe(mail('late'))
})

test('a changed label is a change: its mod-sequence grows, and only it is fetched again', async () => {
  const user = await gmail.addUser()
  const msgid = gmail.deliver(mail('one'), { user })
  gmail.deliver(mail('two'), { user })
  const client = await openedBy(user, ALL_MAIL)
  const since = client.mailbox ? client.mailbox.highestModseq : undefined
  if (since === undefined) throw new Error('There is no HIGHESTMODSEQ.')
  const changes = (changedSince: bigint) =>
    client.fetchAll('1:*', { uid: true, flags: true, labels: true }, { uid: true, changedSince })
  expect(await changes(since)).toEqual([])

  gmail.setLabels(msgid, ['\\Inbox', 'Später'])
  const [changed, ...others] = await changes(since)
  expect(others).toEqual([])
  expect(changed?.uid).toBe(1)
  expect([...(changed?.labels ?? [])].toSorted()).toEqual(['Später', '\\Inbox'])
  expect(changed?.modseq).toBeGreaterThan(since)
  const status = await client.status(ALL_MAIL, { highestModseq: true })
  expect(status).toMatchObject({ highestModseq: changed?.modseq })

  gmail.setLabels(msgid, ['Später', '\\Inbox'])
  expect(await changes(changed?.modseq ?? 0n)).toEqual([])
})

test('MOVE out of the inbox changes the label, and the archive is All Mail', async () => {
  const user = await gmail.addUser()
  const [first, second, third] = ['a', 'b', 'c'].map((name) => gmail.deliver(mail(name), { user }))
  if (!first || !second || !third) throw new Error('Nothing was delivered.')
  const client = await openedBy(user, 'INBOX')
  const other = await openedBy(user, 'INBOX')
  await client.mailboxCreate('Work/Küche')
  const moved = await client.messageMove('1,3', 'Work/Küche', { uid: true })
  expect(moved).toMatchObject({
    uidMap: new Map([
      [1, 1],
      [3, 2],
    ]),
  })
  expect(stateOf(gmail, first).labels).toEqual(['Work/Küche'])
  expect(await client.messageMove('2', ALL_MAIL, { uid: true })).toMatchObject({
    uidMap: new Map([[2, 2]]),
  })
  expect(stateOf(gmail, second)).toMatchObject({ labels: [], mailbox: ALL_MAIL })
  expect(client.mailbox).toMatchObject({ exists: 0 })
  await other.noop()
  expect(other.mailbox).toMatchObject({ exists: 0 })

  await client.mailboxOpen('Work/Küche')
  await client.messageMove('2', TRASH, { uid: true })
  expect(stateOf(gmail, third)).toMatchObject({ labels: [], mailbox: TRASH })
  expect(await client.status(ALL_MAIL, { messages: true, uidNext: true })).toMatchObject({
    messages: 2,
    uidNext: 4,
  })
  await client.mailboxOpen(TRASH)
  await client.messageMove('1:*', 'INBOX')
  expect(stateOf(gmail, third)).toMatchObject({ labels: ['\\Inbox'], mailbox: ALL_MAIL })
  await client.mailboxOpen(ALL_MAIL)
  const back = await client.fetchAll('1:*', { uid: true })
  expect(back.map(({ uid, emailId }) => [uid, emailId])).toEqual([
    [1, first],
    [2, second],
    [4, third],
  ])
})

test('STORE changes labels with spaces and other letters, and shared flags', async () => {
  const user = await gmail.addUser()
  const msgid = gmail.deliver(mail('one'), { user })
  const client = await openedBy(user, ALL_MAIL)
  const names = ['To do', 'Grüße/日本 & "co"', '\\Important']
  expect(await client.messageFlagsAdd('1', names, { uid: true, useLabels: true })).toBe(true)
  expect(stateOf(gmail, msgid).labels).toEqual(['\\Inbox', ...names].toSorted())
  expect(await fetchLabels(client)).toEqual([['\\Inbox', ...names].toSorted()])
  await client.messageFlagsAdd('1', ['TO DO'], { uid: true, useLabels: true })
  expect(stateOf(gmail, msgid).labels).toEqual(['\\Inbox', ...names].toSorted())
  await client.messageFlagsRemove('1', ['\\Inbox', 'To do'], { uid: true, useLabels: true })
  await client.messageFlagsAdd('1', ['\\Seen', '\\Flagged', 'later'], { uid: true })
  expect(stateOf(gmail, msgid)).toMatchObject({
    labels: ['Grüße/日本 & "co"', '\\Important', '\\Starred'].toSorted(),
    flags: ['\\Flagged', '\\Seen', 'later'],
  })
  expect(await client.status('[Gmail]/Starred', { messages: true, unseen: true })).toMatchObject({
    messages: 1,
    unseen: 0,
  })
  expect(await client.status('INBOX', { messages: true })).toMatchObject({ messages: 0 })
})

test('APPEND files under the label, and the same bytes make no second message', async () => {
  const user = await gmail.addUser()
  const client = await openedBy(user, 'INBOX')
  const date = new Date('2026-02-03T04:05:06Z')
  const draft = await client.append('[Gmail]/Drafts', mail('draft'), ['\\Draft', '\\Seen'], date)
  expect(draft).toMatchObject({ uid: 1 })
  const sent = await client.append('[Gmail]/Sent Mail', Buffer.from(mail('sent')), ['\\Seen'])
  expect(sent).toMatchObject({ uid: 1 })
  expect(await client.append('INBOX', mail('sent'))).toMatchObject({ uid: 1, seq: 1 })
  await expect(client.append('Nowhere', mail('lost'))).rejects.toMatchObject({
    serverResponseCode: 'TRYCREATE',
  })
  const mine = gmail.state().filter((message) => message.user === user.user)
  expect(mine.map(({ source, labels, flags }) => ({ source, labels, flags }))).toEqual([
    { source: mail('draft'), labels: ['\\Draft'], flags: ['\\Draft', '\\Seen'] },
    { source: mail('sent'), labels: ['\\Inbox', '\\Sent'], flags: ['\\Seen'] },
  ])
  await client.mailboxOpen('[Gmail]/Drafts')
  expect(found(await client.fetchOne('1', { internalDate: true })).internalDate).toEqual(date)
})

test('deletion takes off a label, changes nothing in All Mail and is final in Trash', async () => {
  const user = await gmail.addUser()
  const msgid = gmail.deliver(mail('one'), { user, labels: ['\\Inbox', 'Work'] })
  const client = await openedBy(user, 'INBOX')
  await client.messageDelete('1', { uid: true })
  expect(stateOf(gmail, msgid).labels).toEqual(['Work'])
  await client.mailboxOpen(ALL_MAIL)
  await client.messageDelete('1', { uid: true })
  expect(stateOf(gmail, msgid)).toMatchObject({ labels: ['Work'], flags: [] })
  await client.messageFlagsAdd('1', ['\\Trash'], { uid: true, useLabels: true })
  expect(stateOf(gmail, msgid)).toMatchObject({ labels: ['Work'], mailbox: TRASH })
  expect(await client.status('Work', { messages: true })).toMatchObject({ messages: 0 })
  await client.mailboxOpen(TRASH)
  await client.messageDelete('1', { uid: true })
  expect(gmail.state().some((message) => message.msgid === msgid)).toBe(false)
})
