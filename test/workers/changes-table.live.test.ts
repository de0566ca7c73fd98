import type { ImapFlow } from 'imapflow'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { type FilterAction, filters } from '../../db/schema/filters.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { changeMessage, type WantedChange } from '../../domain/messages/change.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

/** What is done to a message of this name, by each who can, and what comes of it. */
interface Case {
  /** Its flags before. */
  readonly flags?: readonly string[]
  readonly byApi?: WantedChange
  readonly byRule?: readonly FilterAction[]
  readonly byClient?: (client: ImapFlow, uid: string) => Promise<unknown>
  /** Where it is then, with its flags; undefined where it is gone. */
  readonly is: string | undefined
  /** Its labels as they are shown then. */
  readonly labels?: readonly string[]
  /** Labels that another client has taken away stay shown (spec section 6, rule 1). */
  readonly labelsAfterClient?: readonly string[]
  /** The change in the events of our own, and the event of somebody else's. */
  readonly ours?: string
  readonly external?: string
}

const UID = { uid: true }

const CASES: Readonly<Record<string, Case>> = {
  read: {
    byApi: { read: true },
    byRule: [{ type: 'mark_read' }],
    byClient: (client, uid) => client.messageFlagsAdd(uid, ['\\Seen'], UID),
    is: 'INBOX \\Seen',
    ours: 'read',
    external: 'message.updated read',
  },
  unread: {
    flags: ['\\Seen'],
    byApi: { read: false },
    byClient: (client, uid) => client.messageFlagsRemove(uid, ['\\Seen'], UID),
    is: 'INBOX',
    ours: 'unread',
    external: 'message.updated unread',
  },
  starred: {
    byApi: { starred: true },
    byRule: [{ type: 'star' }],
    byClient: (client, uid) => client.messageFlagsAdd(uid, ['\\Flagged'], UID),
    is: 'INBOX \\Flagged',
    ours: 'starred',
    external: 'message.updated starred',
  },
  unstarred: {
    flags: ['\\Flagged'],
    byApi: { starred: false },
    byClient: (client, uid) => client.messageFlagsRemove(uid, ['\\Flagged'], UID),
    is: 'INBOX',
    ours: 'unstarred',
    external: 'message.updated unstarred',
  },
  labelled: {
    byApi: { labelsAdd: ['work'] },
    byRule: [{ type: 'label', arg: 'work' }],
    byClient: (client, uid) => client.messageFlagsAdd(uid, ['work'], UID),
    is: 'INBOX work',
    labels: ['work'],
    ours: 'labeled',
  },
  unlabelled: {
    flags: ['work'],
    byApi: { labelsRemove: ['work'] },
    byClient: (client, uid) => client.messageFlagsRemove(uid, ['work'], UID),
    is: 'INBOX',
    labelsAfterClient: ['work'],
    ours: 'unlabeled',
  },
  archived: {
    byApi: { moveTo: 'archive' },
    byRule: [{ type: 'move', arg: 'Archive' }],
    byClient: (client, uid) => client.messageMove(uid, 'Archive', UID),
    is: 'Archive',
    ours: 'moved',
    external: 'message.deleted',
  },
  trashed: {
    byApi: { moveTo: 'trash' },
    byRule: [{ type: 'delete' }],
    byClient: (client, uid) => client.messageMove(uid, 'Trash', UID),
    is: 'Trash',
    ours: 'moved',
    external: 'message.deleted',
  },
  expunged: {
    byClient: (client, uid) => client.messageDelete(uid, UID),
    is: undefined,
    external: 'message.deleted',
  },
  untouched: { byApi: { read: false }, byRule: [], is: 'INBOX' },
}

const named = (has: (row: Case) => boolean) => Object.entries(CASES).filter(([, row]) => has(row))

describe.each([
  ['Dovecot as it is', {}],
  ['Dovecot without CONDSTORE', { without: ['CONDSTORE', 'QRESYNC'] }],
  ['Dovecot without UIDPLUS and MOVE', { without: ['MOVE', 'UIDPLUS'] }],
])('%s', (server, options) => {
  const tellsExternal = !server.includes('CONDSTORE')
  const originals = server.includes('UIDPLUS') ? ['INBOX \\Deleted'] : []
  let dovecot: LabDovecot
  beforeAll(async () => {
    dovecot = await startLabDovecot(options)
  })
  afterAll(() => dovecot.stop())

  async function setUp(rows: readonly (readonly [string, Case])[]) {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await dovecot.addUser()
    const client = await dovecot.secondClient(user)
    for (const path of ['Archive', 'Trash']) await client.mailboxCreate(path).catch(() => undefined)
    for (const [name, { flags = [] }] of rows) await client.append('INBOX', mail(name), [...flags])
    await addAccount(store, dovecot, user)
    // Without mod-sequences other folders are looked at every ten minutes.
    const wake = startSync(store, { clock: scaledClock(100) })
    await synced(store)
    await eventually(async () => expect(await shownMail(store)).toHaveLength(rows.length))
    return { store, user, client, wake }
  }

  test('what the API changes', async () => {
    const rows = named(({ byApi }) => byApi !== undefined)
    const { store, client, wake } = await setUp(rows)
    const before = await ids(store)
    for (const [name, { byApi = {} }] of rows)
      await changeMessage(
        { ...syncPorts(store), wake },
        { messageId: before[name] ?? 0, change: byApi },
      )
    await settled(store)
    await comesTo(store, client, { rows, originals, labelsOf: ({ labels = [] }) => labels })
    expect(await ids(store)).toEqual(before)
    expect(await told(store)).toEqual(
      ofEach(rows, ({ ours }) => (ours ? [`message.updated ${ours} svc`] : [])),
    )
  })

  test('what a filter rule changes', async () => {
    const rows = named(({ byRule }) => byRule !== undefined)
    const { store, user, client } = await setUp([])
    await store.commit((write) => [
      write.insert(filters).values(
        rows.map(([name, { byRule = [] }], index) => ({
          position: index + 1,
          enabled: true,
          conditions: [{ field: 'subject', op: 'regex', value: `^${name}$` } as const],
          actions: byRule,
          createdAt: 0,
        })),
      ),
    ])
    for (const [name] of rows) await dovecot.deliver(user, mail(name))
    await eventually(async () => expect(await shownMail(store)).toHaveLength(rows.length))
    await settled(store)
    await comesTo(store, client, { rows, originals, labelsOf: ({ labels = [] }) => labels })
    expect(await told(store)).toEqual(
      ofEach(rows, ({ ours }) => [
        'message.received',
        ...(ours ? [`message.updated ${ours} svc`] : []),
      ]),
    )
  })

  test('what another client changes', async () => {
    const rows = named(({ byClient }) => byClient !== undefined)
    const { store, client } = await setUp(rows)
    await client.mailboxOpen('INBOX')
    const uids = new Map(
      (await client.fetchAll('1:*', { envelope: true, uid: true })).map(({ uid, envelope }) => [
        envelope?.subject,
        String(uid),
      ]),
    )
    for (const [name, { byClient }] of rows) await byClient?.(client, uids.get(name) ?? '')
    await comesTo(store, client, {
      rows,
      labelsOf: ({ labels = [], labelsAfterClient = labels }) => labelsAfterClient,
    })
    expect(await told(store)).toEqual(
      ofEach(rows, ({ external }) =>
        external && tellsExternal
          ? [external.startsWith('message.updated') ? `${external} external` : external]
          : [],
      ),
    )
  })

  /** The server and the store come to be as the table says. */
  async function comesTo(
    store: Store,
    client: ImapFlow,
    { rows, labelsOf, originals = [] }: Outcome,
  ) {
    await eventually(async () => {
      const shown = await shownMail(store)
      const places = Object.fromEntries(
        shown.map(({ subject, path, read, starred, labels }) => [
          subject,
          { path, read, starred, labels },
        ]),
      )
      expect(places).toEqual(
        Object.fromEntries(
          rows.flatMap(([name, row]) => {
            const [path, ...flags] = row.is?.split(' ') ?? []
            const read = flags.includes('\\Seen')
            const starred = flags.includes('\\Flagged')
            return path === undefined
              ? []
              : [[name, { path, read, starred, labels: labelsOf(row) }]]
          }),
        ),
      )
    })
    const onServer = await readAll(client)
    expect(onServer).toEqual(
      Object.fromEntries(
        rows.flatMap(([name, { is }]) =>
          is === undefined
            ? []
            : [[name, is.startsWith('INBOX') ? [is] : [is, ...originals].toSorted()]],
        ),
      ),
    )
  }
})

interface Outcome {
  readonly rows: readonly (readonly [string, Case])[]
  readonly labelsOf: (row: Case) => readonly string[]
  /** What a move leaves behind. */
  readonly originals?: readonly string[]
}

const settled = (store: Store) =>
  eventually(async () => expect(await store.read.select().from(mailboxChanges)).toEqual([]))

const ids = async (store: Store) =>
  Object.fromEntries((await shownMail(store)).map(({ subject, id }) => [subject, id]))

const ofEach = (rows: readonly (readonly [string, Case])[], of: (row: Case) => readonly string[]) =>
  Object.fromEntries(rows.flatMap(([name, row]) => (of(row).length === 0 ? [] : [[name, of(row)]])))

/** The events of each message, in order. */
async function told(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const bySubject: Record<string, string[]> = {}
  for (const { kind, data } of await store.read.select().from(events).orderBy(events.id)) {
    const { subject, change, origin } = data as Record<string, string>
    const of = (bySubject[subject ?? ''] ??= [])
    of.push([kind, change, origin].filter(Boolean).join(' '))
  }
  return bySubject
}

/** Where the server has each message, with its flags. */
async function readAll(client: ImapFlow): Promise<Readonly<Record<string, readonly string[]>>> {
  const bySubject: Record<string, string[]> = {}
  for (const path of ['Archive', 'INBOX', 'Trash']) {
    const { exists } = await client.mailboxOpen(path)
    if (exists === 0) continue
    for (const { envelope, flags } of await client.fetchAll('1:*', {
      envelope: true,
      flags: true,
    })) {
      const of = (bySubject[envelope?.subject ?? ''] ??= [])
      of.push([path, ...[...(flags ?? [])].filter((flag) => flag !== '\\Recent')].join(' '))
    }
  }
  return Object.fromEntries(
    Object.entries(bySubject).map(([subject, places]) => [subject, places.toSorted()]),
  )
}
