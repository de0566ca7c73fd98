import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startLabCourier } from '../lab/courier.ts'
import { startLabCyrus } from '../lab/cyrus.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import type { LabServer, LabUser } from '../lab/lab-server.ts'
import { mailboxName, rawImap, readServer } from '../lab/raw-imap.ts'
import { addAccount, shownMail, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { randomOperations } from '../support/random-operations.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { storedMailbox } from '../support/stored-mailbox.ts'

const isLong = process.env['SVC_TEST_LONG'] === '1'
const OPERATIONS = isLong ? 1_000 : 40
const SETTLED_WITHIN_MS = 120_000
const LOOKED_AT_WITHIN_MS = 500
/** Folders that are looked at every ten minutes are looked at every two seconds. */
const CLOCK_TIMES_FASTER = 300

const mail = (subject: string, text = `Text of ${subject}.`) =>
  `From: Grace <grace@example.org>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`

const SERVERS: readonly [string, () => Promise<LabServer>][] = [
  ['Dovecot', () => startLabDovecot()],
  ['Dovecot without CONDSTORE', () => startLabDovecot({ without: ['CONDSTORE', 'QRESYNC'] })],
  [
    'Dovecot without MOVE, UIDPLUS, IDLE and SPECIAL-USE',
    () => startLabDovecot({ without: ['MOVE', 'UIDPLUS', 'IDLE'], specialUse: false }),
  ],
  [
    'Dovecot without LIST-STATUS',
    () => startLabDovecot({ without: ['LIST-STATUS', 'LIST-EXTENDED'] }),
  ],
  ['Dovecot with COMPRESS', () => startLabDovecot({ compresses: true })],
  ['Dovecot without QRESYNC', () => startLabDovecot({ without: ['QRESYNC'] })],
  ['Courier', startLabCourier],
  ['Cyrus', () => startLabCyrus()],
  ['Cyrus with folders below INBOX', () => startLabCyrus({ isClassic: true })],
]

describe.each(SERVERS)('%s', (_name, start) => {
  let server: LabServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  /** A mailbox of its own, a look at it that does not pass through our code, and an empty store. */
  async function setUp() {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await server.addUser()
    const client = await server.secondClient(user)
    const imap = await rawImap(server, user)
    onTestFinished(() => imap.close())
    return { store, user, client, imap }
  }

  async function sync(store: Store, user: LabUser) {
    await addAccount(store, server, user)
    startSync(store, { clock: scaledClock(CLOCK_TIMES_FASTER) })
  }

  const settled = (store: Store, user: LabUser) =>
    eventually(
      async () => {
        const imap = await rawImap(server, user)
        const expected = await readServer(imap).finally(() => imap.close())
        expect(await storedMailbox(store)).toEqual(expected)
      },
      SETTLED_WITHIN_MS,
      LOOKED_AT_WITHIN_MS,
    )

  test('folders of any name come, are renamed and go', async () => {
    const { store, user, client, imap } = await setUp()
    const [inbox] = await client.list()
    const isBelowInbox = (await client.list()).every(({ path }) => path.startsWith('INBOX'))
    const delimiter = inbox?.delimiter ?? ''
    const names = [
      'With "quotes"',
      'Überblick',
      'Plan 😀 日本語',
      'A & B',
      'Back\\slash',
      '100 %',
      '&AOk-',
      '~tilde',
      '(brackets) {7}',
      // A folder in a folder, or one name, as the server separates them.
      'Yes/No',
      'Yes.No',
      'Yes\\2fNo',
      ' led by a space',
      'followed by one ',
      'star * star',
      '%',
      'ä'.repeat(60),
      'x'.repeat(200),
      ['Parent', 'Child', 'Grandchild é'].join(delimiter),
    ]
    const created: string[] = []
    for (const name of names) {
      const path = isBelowInbox ? `INBOX${delimiter}${name}` : name
      try {
        await imap.command(`CREATE ${mailboxName(path)}`)
        await client.append(path, mail(`in ${path.length}`))
        created.push(path)
      } catch {
        // No server takes every name, and some take one and then no mail under it.
        await imap.command(`DELETE ${mailboxName(path)}`).catch(() => [])
      }
    }
    expect(created.length).toBeGreaterThanOrEqual(12)
    await sync(store, user)
    await settled(store, user)
    expect(Object.keys(await storedMailbox(store))).toEqual(expect.arrayContaining(created))

    const [first = '', second = ''] = created
    await imap.command(`RENAME ${mailboxName(second)} ${mailboxName(`${second} neu ü`)}`)
    await imap.command(`DELETE ${mailboxName(first)}`)
    await settled(store, user)
    expect(Object.keys(await storedMailbox(store))).not.toContain(first)
  })

  test('a folder that another client renames keeps its id, those below it theirs, and all mail its own', async () => {
    const { store, user, client, imap } = await setUp()
    const [inbox] = await client.list()
    const isBelowInbox = (await client.list()).every(({ path }) => path.startsWith('INBOX'))
    const delimiter = inbox?.delimiter ?? ''
    const top = isBelowInbox ? `INBOX${delimiter}` : ''
    for (const path of [`${top}Plan`, `${top}Plan${delimiter}Part`]) {
      await imap.command(`CREATE ${mailboxName(path)}`)
      for (const subject of ['one', 'two']) await client.append(path, mail(`${subject} in ${path}`))
      // Some servers take the second for UIDVALIDITY, and then two folders made in one share it.
      await sleep(1_100)
    }
    await sync(store, user)
    await settled(store, user)
    const ids = async () =>
      (await shownMail(store)).map(({ id, subject, folderId }) => ({ id, subject, folderId }))
    const before = await ids()
    expect(before).toHaveLength(4)

    await imap.command(`RENAME ${mailboxName(`${top}Plan`)} ${mailboxName(`${top}Überblick`)}`)
    await client.append(`${top}Überblick`, mail('three'))
    await settled(store, user)
    const after = await ids()
    expect(after.slice(0, 4)).toEqual(before)
    expect(Object.keys(await storedMailbox(store))).toContain(`${top}Überblick${delimiter}Part`)
  })

  test(
    `at rest the store is the server, after ${OPERATIONS} random operations of another client`,
    async () => {
      const { store, user, client } = await setUp()
      for (let n = 1; n <= 40; n += 1) await client.append('INBOX', mail(`Message ${n}`))
      const connect = () => server.secondClient(user)
      const operate = await randomOperations(connect, seededRandom(20_260_301))
      await sync(store, user)
      for (let n = 1; n <= OPERATIONS; n += 1) await operate()
      await settled(store, user)
    },
    isLong ? 600_000 : 300_000,
  )
})
