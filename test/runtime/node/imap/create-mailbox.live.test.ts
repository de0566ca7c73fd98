import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import { startGmail } from '../../../lab/gmail-imap.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { rawImap } from '../../../lab/raw-imap.ts'
import { openSession } from '../../../support/imap-session.ts'

const SERVERS: readonly (readonly [string, string, () => Promise<LabServer>])[] = [
  ['Dovecot', '', () => startLabDovecot()],
  ['Courier', 'INBOX.', () => startLabCourier()],
  ['Cyrus', '', () => startLabCyrus()],
  ['Cyrus with folders below INBOX', 'INBOX.', () => startLabCyrus({ isClassic: true })],
  ['Gmail', '', () => startGmail()],
]

const REFUSED: Readonly<Record<string, string>> = {
  Dovecot: '../up',
  Courier: 'a..b',
  Gmail: '[Gmail]/New',
}

describe.each(SERVERS)('%s', (name, prefix, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  async function setUp() {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    const listed = async (path: string) =>
      (await other.list()).find((mailbox) => mailbox.path === path)
    return { other, listed, session: await openSession(server, user) }
  }

  test('makes mailboxes that programs see, below INBOX where the server wants it', async () => {
    const { listed, session } = await setUp()
    const names = ['Work', 'With spaces', 'A & B', '(brackets) [8]', 'Überblick', 'Später lesen']
    for (const wanted of names) {
      const path = await session.createMailbox(wanted)
      expect(path).toBe(prefix + wanted)
      expect(await listed(path)).toMatchObject({ subscribed: true })
      await session.select(path)
      expect(session.exists()).toBe(0)
    }
    expect(await session.createMailbox(`${prefix}Full path`)).toBe(`${prefix}Full path`)
  })

  test('one that exists is as good, and so is INBOX', async () => {
    const { other, listed, session } = await setUp()
    await other.mailboxCreate(`${prefix}Überblick`)
    await other.append(`${prefix}Überblick`, 'Subject: there\r\n\r\n')
    for (const wanted of ['Überblick', `${prefix}Überblick`])
      expect(await session.createMailbox(wanted)).toBe(`${prefix}Überblick`)
    expect(await other.status(`${prefix}Überblick`, { messages: true })).toMatchObject({
      messages: 1,
    })
    expect(await session.createMailbox('Inbox')).toBe('INBOX')
    expect(await session.createMailbox('Archive', '\\Archive')).toBe(`${prefix}Archive`)
    expect(await listed(`${prefix}Archive`)).toBeDefined()
  })

  test('a mailbox comes to be although the server cannot give it the role, or another has it', async () => {
    const { listed, session } = await setUp()
    const path = await session.createMailbox('Old mail', '\\Archive')
    expect(path).toBe(`${prefix}Old mail`)
    expect(await listed(path)).toMatchObject({ subscribed: true })
  })

  test('what the server refuses is told in its words', async () => {
    const { session } = await setUp()
    const refused = REFUSED[name] ?? 'With "quotes"'
    await expect(session.createMailbox(refused)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/\w/),
    })
    await expect(session.createMailbox('\0')).rejects.toThrow('no line break')
  })
})

test('a role goes along where the server can', async () => {
  const cyrus = await startLabCyrus()
  onTestFinished(() => cyrus.stop())
  const user = await cyrus.addUser()
  const imap = await rawImap(cyrus, user)
  await imap.command('SETMETADATA Archive (/private/specialuse NIL)')
  const session = await openSession(cyrus, user)
  expect(await session.createMailbox('Old mail', '\\Archive')).toBe('Old mail')
  const withRole = (await session.listMailboxes()).find(({ path }) => path === 'Old mail')
  imap.close()
  expect(withRole).toMatchObject({ specialUseAttribute: '\\Archive', specialUseDeclared: true })
})
