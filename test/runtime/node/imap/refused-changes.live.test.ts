import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LabDovecot, startLabDovecot } from '../../../lab/dovecot.ts'
import { type HostileRequest, startHostileImap } from '../../../lab/hostile-imap.ts'
import { flagsOnServer, openSession } from '../../../support/imap-session.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'

/** A session with a server that answers this command so; what precedes it stays honest. */
async function answering(command: string, answer: (request: HostileRequest) => string | undefined) {
  const imap = await startHostileImap()
  onTestFinished(() => imap.stop())
  const asked: HostileRequest[] = []
  imap.behave({
    capability: 'IMAP4rev1 MOVE UIDPLUS IDLE',
    answer(request, honest) {
      if (request.command !== command) return honest
      asked.push(request)
      return answer(request)
    },
  })
  return { session: await openSession(imap, imap.user), asked }
}

test.each([
  ['NO [OVERQUOTA] Quota exceeded', { kind: 'refused', message: 'Quota exceeded' }, 'OVERQUOTA'],
  ['NO [NOPERM] Permission denied', { kind: 'refused', message: 'Permission denied' }, 'NOPERM'],
  ['NO [TRYCREATE] No such mailbox', { kind: 'refused', message: 'No such mailbox' }, 'TRYCREATE'],
  ['NO Not today', { kind: 'refused', message: 'Not today' }, undefined],
  ['BAD What?', { kind: 'refused', message: 'What?' }, undefined],
  ['NO [LIMIT] Slow down', { kind: 'throttled', message: 'Slow down' }, 'LIMIT'],
])('%s comes through', async (said, words, code) => {
  for (const [command, act] of [
    ['UID STORE', 'storeFlags'],
    ['UID COPY', 'copyMessages'],
    ['UID MOVE', 'moveMessages'],
    ['UID EXPUNGE', 'expunge'],
    ['CREATE', 'createMailbox'],
  ] as const) {
    const { session } = await answering(command, ({ tag }) => `${tag} ${said}\r\n`)
    const actions = {
      storeFlags: () => session.storeFlags([1], { add: ['\\Seen'] }),
      copyMessages: () => session.copyMessages([1], 'Work'),
      moveMessages: () => session.moveMessages([1], 'Work'),
      expunge: () => session.expunge([1]),
      createMailbox: () => session.createMailbox('New'),
    }
    const error: unknown = await actions[act]().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'MailServerError', ...words })
    expect((error as { code?: string }).code).toBe(code)
    expect(await session.searchUids()).toHaveLength(5)
  }
})

test('a COPY that was refused because messages are gone is no success', async () => {
  const said = 'NO [EXPUNGEISSUED] Some of the requested messages no longer exist.'
  const { session, asked } = await answering('UID COPY', ({ tag }) => `${tag} ${said}\r\n`)
  await expect(session.copyMessages([1, 3], 'Work')).rejects.toMatchObject({
    kind: 'refused',
    code: 'EXPUNGEISSUED',
    message: 'Some of the requested messages no longer exist.',
  })
  expect(asked).toHaveLength(2)
})

test('a server that does not say where messages went leaves it unknown', async () => {
  const { session, asked } = await answering('UID MOVE', ({ tag }) => `${tag} OK\r\n`)
  expect(await session.moveMessages([5, 1, 3], 'Work')).toBeUndefined()
  expect(asked.map(({ args }) => args)).toEqual(['1,3,5 "Work"'])
})

test('one that says it twice, or of everything there is, is believed only so far', async () => {
  const { session } = await answering(
    'UID MOVE',
    ({ tag }) =>
      `* OK [COPYUID 9 1:4294967295 1:4294967295] Moved\r\n* OK [COPYUID 9 1 7] Moved\r\n${tag} OK [COPYUID 9 3 8] Done\r\n`,
  )
  const moved = await session.moveMessages([1, 3], 'Work')
  expect(moved).toEqual({
    uidValidity: 9n,
    uids: new Map([
      [1, 7],
      [3, 8],
    ]),
  })
})

test('a connection that ends in the middle of a command is unreachable', async () => {
  const { session } = await answering('UID STORE', () => undefined)
  await expect(session.storeFlags([1], { add: ['\\Seen'] })).rejects.toMatchObject({
    kind: 'unreachable',
  })
  await expect(session.moveMessages([1], 'Work')).rejects.toMatchObject({ kind: 'unreachable' })
})

test('thousands of UIDs with gaps go in commands of a thousand', async () => {
  const { session, asked } = await answering('UID STORE', ({ tag }) => `${tag} OK Stored\r\n`)
  const uids = Array.from({ length: 2_500 }, (_, index) => 1 + 2 * index)
  await session.storeFlags(uids, { add: ['\\Seen', 'later'], remove: ['\\Flagged'] })
  const sizes = asked.map(({ args }) => args.split(' ')[0]?.split(',').length)
  expect(sizes).toEqual([1_000, 1_000, 500, 1_000, 1_000, 500])
  expect(asked[0]?.args).toMatch(/ \+FLAGS\.SILENT \(\\Seen later\)$/)
  expect(asked[3]?.args).toMatch(/ -FLAGS\.SILENT \(\\Flagged\)$/)
})

describe('with rights that another has given', () => {
  let server: LabDovecot
  beforeAll(async () => {
    server = await startLabDovecot({ obeysRights: true })
  })
  afterAll(() => server.stop())

  /** A session beside a folder `Shared` with these rights of RFC 4314 and one message. */
  async function setUp(rights: string) {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    await other.mailboxCreate('Shared')
    await other.append('Shared', mail('one'))
    await other.append('INBOX', mail('two'))
    await writeFile(join(user.maildir, 'Shared', 'dovecot-acl'), `owner ${rights}\n`)
    const flags = (path: string) => flagsOnServer(server, user, path)
    return { flags, session: await openSession(server, user) }
  }

  test('a mailbox that may only be read says so and stays as it is', async () => {
    const { session, flags } = await setUp('lr')
    expect(await session.select('Shared')).toMatchObject({ readOnly: true, permanentFlags: [] })
    const refused = { kind: 'refused', code: 'READ-ONLY' }
    const storing = session.storeFlags([1], { add: ['\\Seen'] })
    await expect(storing).rejects.toMatchObject(refused)
    await expect(session.moveMessages([1], 'INBOX')).rejects.toMatchObject(refused)
    await expect(session.expunge([1])).rejects.toMatchObject(refused)
    expect((await session.copyMessages([1], 'INBOX'))?.uids).toEqual(new Map([[1, 2]]))
    expect(await flags('Shared')).toEqual({ 1: [] })
  })

  test('into it nothing is copied or moved, and nothing created below it', async () => {
    const { session, flags } = await setUp('lr')
    const refused = {
      kind: 'refused',
      code: 'NOPERM',
      message: expect.stringContaining('Permission denied'),
    }
    await expect(session.copyMessages([1], 'Shared')).rejects.toMatchObject(refused)
    await expect(session.moveMessages([1], 'Shared')).rejects.toMatchObject(refused)
    await expect(session.createMailbox('Shared/New')).rejects.toMatchObject(refused)
    expect(Object.keys(await flags('INBOX'))).toEqual(['1'])
  })

  test('a mailbox tells which flags may be changed where that are not all', async () => {
    const { session } = await setUp('lrs')
    expect(await session.select('Shared')).toMatchObject({
      readOnly: false,
      permanentFlags: ['\\Seen'],
    })
  })

  test('out of a mailbox from which nothing may be taken away no message is moved', async () => {
    const { session, flags } = await setUp('lrswi')
    await session.select('Shared')
    const moving = session.moveMessages([1], 'INBOX')
    await expect(moving).rejects.toMatchObject({ kind: 'refused' })
    expect(Object.keys(await flags('INBOX'))).toEqual(['1'])
  })
})
