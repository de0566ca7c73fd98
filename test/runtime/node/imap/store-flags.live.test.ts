import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { flagsOnServer, openSession } from '../../../support/imap-session.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'

const SERVERS: readonly (readonly [string, () => Promise<LabServer>])[] = [
  ['Dovecot', () => startLabDovecot()],
  ['Courier', () => startLabCourier()],
  ['Cyrus', () => startLabCyrus()],
]

describe.each(SERVERS)('%s', (_name, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  async function setUp() {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    for (const subject of ['one', 'two', 'three']) await other.append('INBOX', mail(subject))
    await other.mailboxOpen('INBOX')
    const session = await openSession(server, user)
    return { other, session, flags: () => flagsOnServer(server, user) }
  }

  test('adds and removes flags and keywords, and leaves all others as they are', async () => {
    const { other, session, flags } = await setUp()
    await other.messageFlagsAdd('1:3', ['\\Answered'], { uid: true })
    await session.storeFlags([3, 1], { add: ['\\Seen', '\\Flagged', 'to-do', 'Gr&APwA3w-e'] })
    expect(await flags()).toEqual({
      1: ['Gr&APwA3w-e', '\\Answered', '\\Flagged', '\\Seen', 'to-do'],
      2: ['\\Answered'],
      3: ['Gr&APwA3w-e', '\\Answered', '\\Flagged', '\\Seen', 'to-do'],
    })
    await session.storeFlags([1], { add: ['later'], remove: ['\\Flagged', 'to-do', 'absent'] })
    const { 1: first, 3: third } = await flags()
    expect(first).toEqual(['Gr&APwA3w-e', '\\Answered', '\\Seen', 'later'])
    expect(third).toHaveLength(5)
    await session.storeFlags([1, 2, 3], {})
    await session.storeFlags([], { add: ['\\Seen'] })
    expect((await flags())[2]).toEqual(['\\Answered'])
  })

  test('passes over what is gone, also what it has not been told of', async () => {
    const { other, session, flags } = await setUp()
    await other.messageDelete('2', { uid: true })
    await session.storeFlags([1, 2, 3, 4_000], { add: ['\\Seen'] })
    expect(await flags()).toEqual({ 1: ['\\Seen'], 3: ['\\Seen'] })
  })

  test('takes thousands of UIDs with gaps', async () => {
    const { session, flags } = await setUp()
    const uids = Array.from({ length: 3_000 }, (_, index) => 1 + 2 * index)
    await session.storeFlags(uids, { add: ['\\Seen'] })
    expect(await flags()).toEqual({ 1: ['\\Seen'], 2: [], 3: ['\\Seen'] })
  })

  test('ends an IDLE in progress', async () => {
    const { session, flags } = await setUp()
    const ended = new AbortController()
    const idling = session.idle(ended.signal)
    await sleep(100)
    await session.storeFlags([2], { add: ['\\Flagged'] })
    expect(await flags()).toMatchObject({ 2: ['\\Flagged'] })
    ended.abort()
    await idling
  })

  test('a mailbox tells which flags can be changed', async () => {
    const { session } = await setUp()
    const { permanentFlags, readOnly } = await session.select('INBOX')
    expect(permanentFlags).toEqual(expect.arrayContaining(['\\Seen', '\\Flagged', '\\*']))
    expect(readOnly).toBe(false)
  })

  test('sends nothing where one of them is no flag', async () => {
    const { session, flags } = await setUp()
    const storing = session.storeFlags([1], { add: ['\\Seen'], remove: ['x) \r\nX LOGOUT'] })
    await expect(storing).rejects.toThrow('no atom')
    expect(await flags()).toMatchObject({ 1: [] })
  })
})
