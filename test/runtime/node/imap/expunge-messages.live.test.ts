import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLabCourier } from '../../../lab/courier.ts'
import { startLabCyrus } from '../../../lab/cyrus.ts'
import { startLabDovecot } from '../../../lab/dovecot.ts'
import type { LabServer } from '../../../lab/lab-server.ts'
import { flagsOnServer, openSession } from '../../../support/imap-session.ts'
import { smallMail as mail } from '../../../support/small-mail.ts'

const SERVERS: readonly (readonly [string, boolean, () => Promise<LabServer>])[] = [
  ['Dovecot', true, () => startLabDovecot()],
  ['Dovecot without UIDPLUS', false, () => startLabDovecot({ without: ['UIDPLUS'] })],
  ['Courier', true, () => startLabCourier()],
  ['Cyrus', true, () => startLabCyrus()],
]

describe.each(SERVERS)('%s', (_name, canExpunge, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  test('takes away what it is told, and nothing that another mail program has marked', async () => {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    for (const subject of ['one', 'two', 'three', 'four', 'five'])
      await other.append('INBOX', mail(subject))
    await other.mailboxOpen('INBOX')
    await other.messageFlagsAdd('1,3', ['\\Deleted'], { uid: true })
    const session = await openSession(server, user)
    expect(session.canExpunge).toBe(canExpunge)

    await session.expunge([2, 5, 900])
    await session.expunge([])
    // Neither another mailbox nor the end of the connection takes away the rest.
    await session.select('INBOX')
    await session.close()
    const marked = ['\\Deleted']
    expect(await flagsOnServer(server, user)).toEqual(
      canExpunge
        ? { 1: marked, 3: marked, 4: [] }
        : { 1: marked, 2: marked, 3: marked, 4: [], 5: marked },
    )
  })

  test('a message that is marked already, and one that is gone, are as good', async () => {
    const user = await server.addUser()
    const other = await server.secondClient(user)
    for (const subject of ['one', 'two', 'three']) await other.append('INBOX', mail(subject))
    await other.mailboxOpen('INBOX')
    const session = await openSession(server, user)
    // Without UIDPLUS the other program takes away all that is marked.
    await other.messageDelete('2', { uid: true })
    await other.messageFlagsAdd('1', ['\\Deleted'], { uid: true })
    await session.expunge([1, 2])
    expect(Object.keys(await flagsOnServer(server, user))).toEqual(canExpunge ? ['3'] : ['1', '3'])
  })
})
