import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { ALL_MAIL, found, mail, stateOf, TRASH } from './gmail/small-mail.ts'
import { type LabGmail, startGmail } from './gmail-imap.ts'
import type { LabUser } from './lab-server.ts'
import { mailboxName, rawImap } from './raw-imap.ts'

let gmail: LabGmail
beforeAll(async () => {
  gmail = await startGmail()
})
afterAll(() => gmail.stop())

async function login(user: LabUser, auth: { pass: string } | { accessToken: string }) {
  const { host, imapPort: port } = gmail
  const client = new ImapFlow({
    host,
    port,
    secure: false,
    doSTARTTLS: false,
    auth: { user: user.user, ...auth },
    logger: false,
  })
  client.on('error', () => {})
  onTestFinished(() => client.close())
  await client.connect()
  return client
}

test('logs in by password or access token, and says what Gmail can do only then', async () => {
  const user = await gmail.addUser()
  const byPassword = await login(user, { pass: user.password })
  expect([...byPassword.capabilities.keys()]).toEqual(
    expect.arrayContaining(['X-GM-EXT-1', 'CONDSTORE', 'MOVE', 'SPECIAL-USE', 'LIST-STATUS']),
  )
  expect([...byPassword.capabilities.keys()]).not.toContain('QRESYNC')
  expect([...byPassword.enabled]).toEqual(['CONDSTORE', 'UTF8=ACCEPT'])
  await expect(login(user, { pass: 'wrong' })).rejects.toMatchObject({
    authenticationFailed: true,
    serverResponseCode: 'AUTHENTICATIONFAILED',
  })

  gmail.acceptTokens(user, ['ya29.good'])
  expect((await login(user, { accessToken: 'ya29.good' })).authenticated).toBe(true)
  await expect(login(user, { accessToken: 'ya29.old' })).rejects.toMatchObject({
    authenticationFailed: true,
    oauthError: { status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' },
  })
})

test('XOAUTH2 takes the token with the command, and answers a bad one with why', async () => {
  const user = await gmail.addUser()
  gmail.acceptTokens(user, ['ya29.good'])
  const response = (token: string) =>
    Buffer.from(`user=${user.user}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64')
  const socket = connect(gmail.imapPort, gmail.host)
  onTestFinished(() => void socket.destroy())
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (line: string) => {
    socket.write(`${line}\r\n`)
    return (await lines.next()).value
  }
  await lines.next()
  const challenge = await answer(`a AUTHENTICATE XOAUTH2 ${response('ya29.old')}`)
  expect(JSON.parse(Buffer.from(String(challenge).slice(2), 'base64').toString())).toEqual({
    status: '400',
    schemes: 'Bearer',
    scope: 'https://mail.google.com/',
  })
  expect(await answer('')).toMatch(/^a NO \[AUTHENTICATIONFAILED\]/)
  expect(await answer(`b AUTHENTICATE XOAUTH2 ${response('ya29.good')}`)).toMatch(/^b OK /)
})

test('programs without UTF8=ACCEPT read and write modified UTF-7', async () => {
  const user = await gmail.addUser()
  const msgid = gmail.deliver(mail('one'), { user, labels: ['\\Inbox', 'Küche & Bad'] })
  const raw = await rawImap(gmail, user)
  onTestFinished(() => raw.close())
  const listed = async (pattern: string) =>
    (await raw.command(`LIST "" "${pattern}"`)).map(({ line }) => line)
  expect(await listed('K*')).toEqual(['* LIST (\\HasNoChildren) "/" "K&APw-che &- Bad"'])
  expect(await listed('[%')).toEqual(['* LIST (\\Noselect \\HasChildren) "/" "[Gmail]"'])
  await raw.command(`SELECT ${mailboxName(ALL_MAIL)}`)
  await raw.command('UID STORE 1 +X-GM-LABELS.SILENT ("Gr&APwA3w-e" \\Important)')
  const [fetched] = await raw.command('UID FETCH 1 (X-GM-LABELS)')
  expect(fetched?.line).toBe(
    '* 1 FETCH (UID 1 X-GM-LABELS ("\\\\Inbox" "K&APw-che &- Bad" Gr&APwA3w-e "\\\\Important"))',
  )
  expect(stateOf(gmail, msgid).labels).toContain('Grüße')
})

test('without auto-expunge a deleted message stays until EXPUNGE, flagged in its mailbox alone', async () => {
  const patient = await startGmail({ autoExpunge: false })
  onTestFinished(() => patient.stop())
  const user = await patient.addUser()
  patient.deliver(mail('one'))
  patient.deliver(mail('two'))
  const client = await patient.secondClient(user)
  await client.mailboxOpen('INBOX')
  await client.messageFlagsAdd('1', ['\\Deleted'])
  expect(found(await client.fetchOne('1', { flags: true })).flags).toContain('\\Deleted')
  const other = await patient.secondClient(user)
  await other.mailboxOpen(ALL_MAIL)
  expect(found(await other.fetchOne('1', { flags: true })).flags).not.toContain('\\Deleted')
  await client.messageDelete('2')
  expect(client.mailbox).toMatchObject({ exists: 0 })
  expect(other.mailbox).toMatchObject({ exists: 2 })
})

test('labels are made, renamed with what is below them, and deleted without their mail', async () => {
  const user = await gmail.addUser()
  const msgid = gmail.deliver(mail('one'), { user, labels: ['Old', 'Old/Sub'] })
  const client = await gmail.secondClient(user)
  expect(await client.mailboxCreate('old')).toMatchObject({ created: false })
  const before = await client.status('Old/Sub', { uidValidity: true, uidNext: true })
  await client.mailboxRename('Old', 'New')
  expect(stateOf(gmail, msgid).labels).toEqual(['New', 'New/Sub'])
  const after = await client.status('New/Sub', { uidValidity: true, uidNext: true })
  expect(after).toEqual({ ...before, path: 'New/Sub' })
  await client.mailboxDelete('New')
  expect(stateOf(gmail, msgid)).toMatchObject({ labels: ['New/Sub'], mailbox: ALL_MAIL })
  await expect(client.mailboxDelete(TRASH)).rejects.toMatchObject({ serverResponseCode: 'CANNOT' })
})

test('sequence numbers stay those the program knows until it may hear of what is gone', async () => {
  const user = await gmail.addUser()
  const msgids = ['a', 'b', 'c'].map((name) => gmail.deliver(mail(name), { user }))
  const raw = await rawImap(gmail, user)
  onTestFinished(() => raw.close())
  const lines = async (command: string) => (await raw.command(command)).map(({ line }) => line)
  await raw.command('SELECT INBOX')
  gmail.deleteForGood(msgids[0] ?? '')
  gmail.deliver(mail('d'), { user })
  expect(await lines('FETCH 1:* (UID)')).toEqual([
    '* 2 FETCH (UID 2)',
    '* 3 FETCH (UID 3)',
    '* 4 EXISTS',
  ])
  expect(await lines('NOOP')).toEqual(['* 1 EXPUNGE'])
  expect(await lines('FETCH 1:* (UID)')).toEqual([
    '* 1 FETCH (UID 2)',
    '* 2 FETCH (UID 3)',
    '* 3 FETCH (UID 4)',
  ])
  expect(await lines('UID SEARCH UID 3:*')).toEqual(['* SEARCH 3 4'])
  expect(await lines('SEARCH RETURN (COUNT ALL) UNSEEN')).toEqual([
    expect.stringMatching(/^\* ESEARCH \(TAG "r\d+"\) COUNT 3 ALL 1,2,3$/),
  ])
})

test('an account in another language names its mailboxes otherwise, and can hide All Mail', async () => {
  const german = await startGmail({ names: { '\\Trash': 'Papierkorb' }, hidden: ['\\All'] })
  onTestFinished(() => german.stop())
  const client = await german.secondClient(await german.addUser())
  const listed = await client.list()
  expect(listed.find(({ specialUse }) => specialUse === '\\Trash')?.path).toBe('[Gmail]/Papierkorb')
  expect(listed.some(({ specialUse }) => specialUse === '\\All')).toBe(false)
  const msgid = german.deliver(mail('one'))
  expect(german.state()).toMatchObject([{ msgid, mailbox: ALL_MAIL }])
})
