import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import { startGmail } from '../../../lab/gmail-imap.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { openSession } from '../../../support/imap-session.ts'

const SERVERS: readonly (readonly [string, () => Promise<LabServer>])[] = [
  ['Dovecot', () => startLabDovecot()],
  ['Courier', () => startLabCourier()],
  ['Cyrus', () => startLabCyrus()],
  ['Gmail', () => startGmail()],
]

/** Its length grows with its text alone. */
const mail = (messageId: string | undefined, text: string) =>
  [
    ...(messageId === undefined ? [] : [`Message-ID: ${messageId}`]),
    'Subject: x',
    '',
    text,
    '',
  ].join('\r\n')

describe.each(SERVERS)('%s', (_name, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  async function setUp(sources: readonly string[]) {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    for (const source of sources) await other.append('INBOX', source)
    return openSession(server, user)
  }

  test.each([
    '<plain@example.org>',
    '<with"quotes"@example.org>',
    '<a b(c)*%{5}]@example.org>',
    'no brackets',
    '"quoted"',
  ])('finds %j by its Message-ID', async (messageIdHeader) => {
    const sources = [
      mail('<other@example.org>', 'a'),
      mail(messageIdHeader, 'b'),
      mail(messageIdHeader, 'cc'),
    ]
    const session = await setUp(sources)
    expect(await session.searchCopies({ messageIdHeader, size: 1 })).toEqual([2, 3])
    expect(await session.searchCopies({ messageIdHeader: '<none@example.org>', size: 1 })).toEqual(
      [],
    )
  })

  test.each([
    undefined,
    '',
    '   ',
    '<ümlaut@example.org>',
    '<back\\slash@example.org>',
    '\\Seen',
    'NIL',
    '<a>\r\nX LOGOUT',
    'nul\0',
    'x'.repeat(100_000),
  ])('asks for the size where a server cannot be asked for the Message-ID (%#)', async (header) => {
    const [a, b, c] = [mail(undefined, 'four'), mail(undefined, 'three'), mail(undefined, 'vier')]
    const session = await setUp([a, b, c])
    const size = Buffer.byteLength(a)
    const sought = header === undefined ? { size } : { messageIdHeader: header, size }
    expect(await session.searchCopies(sought)).toEqual([1, 3])
    expect(await session.searchCopies({ ...sought, size: size + 1 })).toEqual([2])
    expect(await session.searchCopies({ ...sought, size: 0 })).toEqual([])
  })
})
