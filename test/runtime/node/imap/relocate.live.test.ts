import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { mailboxName, rawImap } from '../../../lab/raw-imap.ts'
import { flagsOnServer, openSession } from '../../../support/imap-session.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'

interface Case {
  readonly start: () => Promise<LabServer>
  readonly canMove: boolean
  readonly prefix: string
}

const beside = { canMove: true, prefix: '' }

const SERVERS: readonly (readonly [string, Case])[] = [
  ['Dovecot', { ...beside, start: () => startLabDovecot() }],
  [
    'Dovecot without MOVE',
    { ...beside, canMove: false, start: () => startLabDovecot({ without: ['MOVE'] }) },
  ],
  ['Courier', { start: () => startLabCourier(), canMove: false, prefix: 'INBOX.' }],
  ['Cyrus', { ...beside, start: () => startLabCyrus() }],
  [
    'Cyrus with folders below INBOX',
    { ...beside, prefix: 'INBOX.', start: () => startLabCyrus({ isClassic: true }) },
  ],
]

const NAMES = ['With "quotes"', 'A & B', 'Plan 😀 日本語', '(brackets) {7} [8]', 'NIL', '&AOk-']

describe.each(SERVERS)('%s', (_name, { start, canMove, prefix }) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  async function setUp(names: readonly string[], messages = 3) {
    const user = await server.addUser()
    const imap = await rawImap(server, user)
    const created: string[] = []
    for (const path of names.map((name) => prefix + name)) {
      // No server takes every name.
      const isTaken = imap.command(`CREATE ${mailboxName(path)}`).then(() => true)
      if (await isTaken.catch(() => false)) created.push(path)
    }
    imap.close()
    const other = await server.secondClient(user)
    for (let n = 1; n <= messages; n += 1) await other.append('INBOX', mail(`Message ${n}`))
    await other.mailboxOpen('INBOX')
    const flags = (path: string) => flagsOnServer(server, user, path)
    return { other, flags, created, session: await openSession(server, user) }
  }

  test('messages are copied to mailboxes of any name', async () => {
    const { session, flags, created } = await setUp(NAMES)
    expect(created.length).toBeGreaterThanOrEqual(4)
    for (const path of created) {
      const copied = await session.copyMessages([3, 1], path)
      expect(copied?.uids).toEqual(
        new Map([
          [1, 1],
          [3, 2],
        ]),
      )
      expect(Object.keys(await flags(path))).toEqual(['1', '2'])
      const { uidValidity } = await session.select(path)
      expect(copied?.uidValidity).toBe(uidValidity)
      await session.select('INBOX')
    }
    expect(Object.keys(await flags('INBOX'))).toEqual(['1', '2', '3'])
  })

  test('MOVE takes them along with their flags, or is not to be had', async () => {
    const { session, flags } = await setUp(['Work'])
    expect(session.canMove).toBe(canMove)
    await session.storeFlags([1], { add: ['\\Seen', 'later'] })
    const moving = session.moveMessages([1, 3], `${prefix}Work`)
    if (!canMove) {
      await expect(moving).rejects.toThrow('has no MOVE')
      expect(Object.keys(await flags('INBOX'))).toHaveLength(3)
      return
    }
    expect((await moving)?.uids).toEqual(
      new Map([
        [1, 1],
        [3, 2],
      ]),
    )
    expect(await flags(`${prefix}Work`)).toEqual({ 1: ['\\Seen', 'later'], 2: [] })
    expect(Object.keys(await flags('INBOX'))).toEqual(['2'])
  })

  test('what is gone is passed over, also what we have not been told of', async () => {
    const { other, session, flags } = await setUp(['Work'])
    await other.messageDelete('2', { uid: true })
    const copied = await session.copyMessages([1, 2, 3, 77], `${prefix}Work`)
    expect([...(copied?.uids.keys() ?? [])]).toEqual([1, 3])
    expect(Object.keys(await flags(`${prefix}Work`))).toEqual(['1', '2'])
    expect((await session.copyMessages([2, 77], `${prefix}Work`))?.uids.size ?? 0).toBe(0)
    if (!canMove) return
    await other.messageDelete('3', { uid: true })
    const moved = await session.moveMessages([1, 2, 3, 77], `${prefix}Work`)
    expect(moved?.uids).toEqual(new Map([[1, 3]]))
    expect(Object.keys(await flags('INBOX'))).toEqual([])
  })

  test('a mailbox that is not there is refused, in the words of the server', async () => {
    const { session, flags } = await setUp([])
    const refused = { name: 'MailServerError', kind: 'refused', code: 'TRYCREATE' }
    await expect(session.copyMessages([1], `${prefix}Nowhere`)).rejects.toMatchObject(refused)
    if (canMove)
      await expect(session.moveMessages([1], `${prefix}Nowhere`)).rejects.toMatchObject({
        ...refused,
        message: expect.stringMatching(/\w/),
      })
    expect(Object.keys(await flags('INBOX'))).toHaveLength(3)
  })

  test.each(['a\r\nX LOGOUT', 'a\nb', 'nul\0'])('%j is no mailbox', async (path) => {
    const { session } = await setUp([], 1)
    await expect(session.copyMessages([1], path)).rejects.toThrow('no line break')
    if (canMove) await expect(session.moveMessages([1], path)).rejects.toThrow('no line break')
    await expect(session.createMailbox(path)).rejects.toThrow('no line break')
    expect(await session.searchUids()).toEqual([1])
  })
})

test('two thousand messages with gaps move at once, and each is known at its new place', async () => {
  const server = await startLabDovecot()
  try {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    await other.mailboxCreate('Work')
    await Promise.all(Array.from({ length: 2_200 }, (_, n) => other.append('INBOX', mail(`m${n}`))))
    const session = await openSession(server, user)
    const uids = Array.from({ length: 1_100 }, (_, index) => 2_200 - 2 * index)
    const moved = await session.moveMessages(uids, 'Work')
    expect(moved?.uids.size).toBe(1_100)
    expect(new Set(moved?.uids.values()).size).toBe(1_100)
    expect(session.exists()).toBe(1_100)
    const [old = 0, now = 0] = [...(moved?.uids ?? [])][500] ?? []
    await other.mailboxOpen('Work')
    const message = await other.fetchOne(String(now), { envelope: true }, { uid: true })
    expect(message && message.envelope?.subject).toBe(`m${old - 1}`)
  } finally {
    await server.stop()
  }
})
