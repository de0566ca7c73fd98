import { readFileSync } from 'node:fs'
import { ImapFlow } from 'imapflow'
import type { FetchMessageObject } from 'imapflow'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { startLabDovecot } from './dovecot.ts'
import type { LabDovecot } from './dovecot.ts'

const SOURCE = [
  'From: Ann <ann@example.test>',
  'To: user@example.test',
  'Subject: Delivered',
  'Message-ID: <delivered@example.test>',
  '',
  'Good morning.',
  '.',
  'A line with one dot stands above.',
  '',
].join('\r\n')

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

async function login(
  user: DovecotUser,
  mode: 'plain' | 'starttls' | 'implicit',
  password?: string,
) {
  const client = new ImapFlow({
    host: dovecot.host,
    port: mode === 'implicit' ? dovecot.imapsPort : dovecot.imapPort,
    secure: mode === 'implicit',
    doSTARTTLS: mode === 'starttls',
    tls: { ca: readFileSync(dovecot.certificate.caFile) },
    auth: { user: user.user, pass: password ?? user.password },
    logger: false,
  })
  await client.connect()
  return client
}

/** Without `\Recent`, which is about the session and not the message. */
const flagsOf = ({ flags = new Set() }: FetchMessageObject) =>
  [...flags].filter((flag) => flag !== '\\Recent').toSorted()

test.each(['plain', 'starttls', 'implicit'] as const)('a user logs in over %s', async (mode) => {
  const client = await login(await dovecot.addUser(), mode)
  expect(client.authenticated).toBeTruthy()
  expect(client.secureConnection).toBe(mode !== 'plain')
  await client.logout()
})

test('a wrong password is refused, again and again, without growing delays', async () => {
  const user = await dovecot.addUser()
  const start = Date.now()
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(login(user, 'plain', 'wrong')).rejects.toMatchObject({
      authenticationFailed: true,
    })
  expect(Date.now() - start).toBeLessThan(3_000)
})

test('a message delivered over LMTP is in the inbox, and a second client changes it', async () => {
  const user = await dovecot.addUser()
  await dovecot.deliver(user, SOURCE)
  const client = await login(user, 'implicit')
  await client.mailboxOpen('INBOX')
  const second = await dovecot.secondClient(user)
  await second.mailboxOpen('INBOX')

  const before = await client.fetchOne('1', { source: true, flags: true })
  if (before === false) throw new Error('The message was not delivered.')
  expect(before.source?.toString()).toContain(SOURCE)
  expect(flagsOf(before)).toEqual([])

  await second.messageFlagsAdd('1', ['\\Flagged', 'later'])
  const flagged = await client.fetchOne('1', { flags: true })
  if (flagged === false) throw new Error('The message has gone.')
  expect(flagsOf(flagged)).toEqual(['\\Flagged', 'later'])

  await second.mailboxCreate('Küche/2026')
  await second.append('Küche/2026', SOURCE, ['\\Seen'])
  await second.messageDelete('1')
  await client.noop()
  expect(await client.status('INBOX', { messages: true })).toMatchObject({ messages: 0 })
  expect(await client.status('Küche/2026', { messages: true })).toMatchObject({ messages: 1 })
  await client.logout()
})

test('an unknown recipient is refused', async () => {
  const nobody = { user: 'nobody', password: '', email: 'nobody@example.test', maildir: '' }
  await expect(dovecot.deliver(nobody, SOURCE)).rejects.toThrow(/550/)
})

test('seeded messages have their folder, date, flags, order and exact bytes', async () => {
  const user = await dovecot.addUser()
  const messages = Array.from({ length: 1_500 }, (_, n) => ({
    source: Buffer.from(`Subject: Message ${n}\r\n\r\nText ${n}\r\n`),
    internalDate: new Date(Date.UTC(2025, 0, 1, 0, n)),
    flags: n % 2 === 0 ? ['\\Seen', '\\Flagged'] : [],
  }))
  expect(await seedMaildir(user, 'Projects/Kitchen é', messages)).toBe(1_500)

  const client = await dovecot.secondClient(user)
  const mailbox = await client.mailboxOpen('Projects/Kitchen é')
  expect(mailbox.exists).toBe(1_500)
  const query = { source: true, internalDate: true, flags: true }
  const third = await client.fetchOne('3', query)
  if (third === false) throw new Error('Message 3 is not there.')
  expect(third.source?.toString()).toBe('Subject: Message 2\r\n\r\nText 2\r\n')
  expect(third.internalDate).toEqual(new Date('2025-01-01T00:02:00Z'))
  expect(flagsOf(third)).toEqual(['\\Flagged', '\\Seen'])
})

describe('variants', () => {
  test('hidden capabilities are not advertised, the others are', async () => {
    const plain = await startLabDovecot({ without: ['CONDSTORE', 'QRESYNC', 'MOVE'] })
    onTestFinished(() => plain.stop())
    const client = await plain.secondClient(await plain.addUser())
    const names = [...client.capabilities.keys()]
    expect(names).toEqual(expect.arrayContaining(['IDLE', 'UIDPLUS', 'SPECIAL-USE']))
    for (const hidden of ['CONDSTORE', 'QRESYNC', 'MOVE']) expect(names).not.toContain(hidden)
  })

  test('without SPECIAL-USE the folders exist and carry no attribute', async () => {
    const plain = await startLabDovecot({ specialUse: false })
    onTestFinished(() => plain.stop())
    const client = await plain.secondClient(await plain.addUser())
    expect([...client.capabilities.keys()]).not.toContain('SPECIAL-USE')
    const sent = (await client.list()).find(({ path }) => path === 'Sent')
    expect([...(sent?.flags ?? [])]).not.toContain('\\Sent')
  })

  test('several at once do not get into each other’s way', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => startLabDovecot()))
    expect(new Set(servers.flatMap((s) => [s.imapPort, s.imapsPort, s.lmtpPort])).size).toBe(12)
    await Promise.all(servers.map((server) => server.stop()))
  })
})
