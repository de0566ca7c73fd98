import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import { startGmail } from '../../../lab/gmail-imap.ts'
import { startHostileImap } from '../../../lab/hostile-imap.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { openSession } from '../../../support/imap-session.ts'
import { wholeSource } from '../../../support/whole-source.ts'

const SERVERS: readonly (readonly [string, string, () => Promise<LabServer>])[] = [
  ['Dovecot', '', () => startLabDovecot()],
  ['Courier', 'INBOX.', () => startLabCourier()],
  ['Cyrus', '', () => startLabCyrus()],
  ['Gmail', '', () => startGmail()],
]

const DATE = Date.UTC(2026, 1, 3, 4, 5, 6)

const message = (text: string, flags: readonly string[] = ['\\Seen']) => ({
  source: Buffer.from(
    `Message-ID: <${text.length}@example.test>\r\nSubject: Hi\r\n\r\n${text}\r\n`,
  ),
  flags,
  internalDateMs: DATE,
})

describe.each(SERVERS)('%s', (_name, prefix, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  test('keeps a message with its flags and its date, and says where', async () => {
    const session = await openSession(server, await server.addUser())
    const path = await session.createMailbox('Gesendet & mehr')
    expect(path).toBe(`${prefix}Gesendet & mehr`)
    const sent = [message('Grüße', ['\\Seen', '\\Answered']), message('two'), message('three', [])]
    const places = []
    for (const each of sent) places.push(await session.append(path, each))

    const { uidValidity } = await session.select(path)
    expect(places).toEqual([1, 2, 3].map((uid) => ({ uidValidity, uid })))
    const kept = []
    for await (const fetched of session.fetchMessages([1, 2, 3])) kept.push(fetched)
    expect(kept.toSorted((a, b) => a.uid - b.uid)).toMatchObject(
      sent.map(({ source, flags, internalDateMs }) => ({
        source,
        flags: flags.toSorted(),
        internalDateMs,
      })),
    )
  })

  test('a message can go into the mailbox that is open, and is seen there', async () => {
    const session = await openSession(server, await server.addUser())
    const place = await session.append('INBOX', message('here'))
    expect(place?.uid).toBe(1)
    expect(await session.searchUids()).toEqual([1])
    expect(await session.searchCopies({ messageIdHeader: '<4@example.test>', size: 1 })).toEqual([
      1,
    ])
    expect(session.exists()).toBe(1)
  })

  test('a mailbox that is not there can be made', async () => {
    const session = await openSession(server, await server.addUser())
    const path = `${prefix}Not there`
    await expect(session.append(path, message('x'))).rejects.toMatchObject({
      kind: 'refused',
      code: 'TRYCREATE',
      message: expect.stringMatching(/\w/),
    })
    await session.createMailbox(path)
    expect(await session.append(path, message('x'))).toMatchObject({ uid: 1 })
  })

  test('a large message, and one of odd bytes, are kept whole', async () => {
    const session = await openSession(server, await server.addUser())
    const large = { ...message(''), source: Buffer.alloc(3_000_000, 'Subject: a\r\n\r\nline\r\n') }
    const odd = {
      ...message(''),
      source: Buffer.from('Subject: a\r\n\r\n\x01\x7f\xff\xfe)\r\n{5}\r\n', 'latin1'),
    }
    for (const each of [large, odd]) await session.append('INBOX', each)
    await session.select('INBOX')
    const sizes = []
    for await (const fetched of session.fetchMessages([1, 2])) {
      const source = await wholeSource(fetched)
      expect(Buffer.compare(source, (fetched.uid === 1 ? large : odd).source)).toBe(0)
      sizes.push(source.length)
    }
    expect(sizes).toHaveLength(2)
  })
})

test.each([
  ['of a known size', 2_000_000],
  ['of an unknown size', undefined],
  ['larger than was said', 700_000],
])('a source %s is appended as it is rendered', async (_what, size) => {
  const server = await startLabDovecot()
  onTestFinished(() => server.stop())
  const session = await openSession(server, await server.addUser())
  const pieces = Array.from({ length: 20 }, () => Buffer.alloc(100_000, 'Field: 56789012345\r\n'))
  const source = {
    traits: async () =>
      size === undefined ? undefined : { size, hasEightBitContent: false, hasUtf8Header: false },
    async *[Symbol.asyncIterator]() {
      yield* pieces
    },
  }
  await session.append('INBOX', { source, flags: [], internalDateMs: DATE })
  await session.select('INBOX')
  for await (const fetched of session.fetchMessages([1]))
    expect(Buffer.compare(await wholeSource(fetched), Buffer.concat(pieces))).toBe(0)
  expect(session.exists()).toBe(1)
})

test.each([
  ['more', 1_900_000],
  ['less', 2_100_000],
])(
  'a large source that turns out to have %s bytes than was said is not appended',
  async (_, said) => {
    const server = await startLabDovecot()
    onTestFinished(() => server.stop())
    const user = await server.addUser()
    const session = await openSession(server, user)
    const source = {
      traits: async () => ({ size: said, hasEightBitContent: false, hasUtf8Header: false }),
      async *[Symbol.asyncIterator]() {
        for (let n = 0; n < 20; n += 1) yield Buffer.alloc(100_000, 'Field: 56789012345\r\n')
      },
    }
    const appended = session.append('INBOX', { source, flags: [], internalDateMs: DATE })
    await expect(appended).rejects.toThrow('another size')
    const later = await openSession(server, user)
    await later.select('INBOX')
    expect(later.exists()).toBe(0)
  },
)

test('a large source that cannot be read to its end is not appended', async () => {
  const server = await startLabDovecot()
  onTestFinished(() => server.stop())
  const user = await server.addUser()
  const session = await openSession(server, user)
  const source = {
    traits: async () => ({ size: 2_000_000, hasEightBitContent: false, hasUtf8Header: false }),
    async *[Symbol.asyncIterator]() {
      yield Buffer.alloc(100_000, 'Field: 56789012345\r\n')
      throw new Error('The disk is gone.')
    },
  }
  const appended = session.append('INBOX', { source, flags: [], internalDateMs: DATE })
  await expect(appended).rejects.toThrow('The disk is gone.')
  const later = await openSession(server, user)
  await later.select('INBOX')
  expect(later.exists()).toBe(0)
})

/** A session with a server that says this after APPEND; undefined ends the connection. */
async function answering(said: string | undefined, capability = 'IMAP4rev1 UIDPLUS IDLE') {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  let asked = 0
  imap.behave({
    capability,
    answer(request, honest) {
      if (request.command !== 'APPEND') return honest
      asked += 1
      return said === undefined ? undefined : `+ go on\r\n${request.tag} ${said}\r\n`
    },
  })
  const session = await openSession(imap, imap.user)
  return { session, asked: () => asked }
}

test.each([
  ['NO [OVERQUOTA] Quota exceeded', { kind: 'refused', message: 'Quota exceeded' }, 'OVERQUOTA'],
  ['NO [TRYCREATE] No such mailbox', { kind: 'refused', message: 'No such mailbox' }, 'TRYCREATE'],
  ['NO [READ-ONLY] Not here', { kind: 'refused', message: 'Not here' }, 'READ-ONLY'],
  ['NO [LIMIT] Slow down', { kind: 'throttled', message: 'Slow down' }, 'LIMIT'],
  ['NO Not today', { kind: 'refused', message: 'Not today' }, undefined],
  ['BAD What?', { kind: 'refused', message: 'What?' }, undefined],
])('%s comes through', async (said, words, code) => {
  const { session } = await answering(said)
  const error: unknown = await session
    .append('Sent', message('x'))
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'MailServerError', ...words })
  expect((error as { code?: string }).code).toBe(code)
})

test.each([
  ['OK [APPENDUID 42 7] Done', { uidValidity: 42n, uid: 7 }],
  ['OK Done', undefined],
  ['OK [APPENDUID 42] Done', undefined],
  ['OK [APPENDUID 0 7] Done', undefined],
  ['OK [APPENDUID 42 0] Done', undefined],
  ['OK [APPENDUID 42 1:3] Done', undefined],
  ['OK [APPENDUID 1e5 99999999999] Done', undefined],
  ['OK [COPYUID 42 1 7] Done', undefined],
])('%s says where it is, or does not', async (said, place) => {
  const { session } = await answering(said)
  expect(await session.append('Sent', message('x'))).toEqual(place)
})

test('a connection that ends before the answer is unreachable, and nothing is asked again', async () => {
  const { session, asked } = await answering(undefined)
  await expect(session.append('Sent', message('x'))).rejects.toMatchObject({ kind: 'unreachable' })
  expect(asked()).toBe(1)
})

test('a message that is larger than the server says it keeps is not sent', async () => {
  const { session, asked } = await answering('OK Done', 'IMAP4rev1 UIDPLUS APPENDLIMIT=60')
  await expect(session.append('Sent', message('x'.repeat(100)))).rejects.toMatchObject({
    kind: 'refused',
    code: 'APPENDLIMIT',
    retryable: false,
    message: expect.stringContaining('keeps 60 at most'),
  })
  expect(asked()).toBe(0)
  await session.append('Sent', message('x'))
})

test('what is no flag, and what is no mailbox, is sent nowhere', async () => {
  const { session, asked } = await answering('OK Done')
  await expect(session.append('Sent', message('x', ['a b']))).rejects.toThrow('no atom')
  await expect(session.append('a\r\nb', message('x'))).rejects.toThrow('no line break')
  expect(asked()).toBe(0)
})
