import { glob, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { events } from '../../db/schema/events.ts'
import { filters } from '../../db/schema/filters.ts'
import { folders } from '../../db/schema/folders.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { removeAccount } from '../../domain/accounts/remove.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { generatedMailbox } from '../bench/generated-mailbox.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import {
  addAccount,
  shownMail,
  startSync,
  syncPorts,
  whileSyncing,
} from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { smallMail as mail } from '../support/small-mail.ts'

/** More than a first screen. */
const OLD = 60

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

interface Known {
  readonly store: Store
  readonly user: DovecotUser
}

/** Loses something; what it returns shows that it really was lost. */
type Loss = (known: Known) => Promise<unknown>

const inbox = async (store: Store) =>
  (await store.read.select().from(folders)).find(({ specialUse }) => specialUse === 'inbox')

async function removeFiles({ maildir }: DovecotUser, pattern: string): Promise<void> {
  for await (const file of glob(`${maildir}/${pattern}`)) await rm(file)
}

const LOSSES: readonly (readonly [string, Loss])[] = [
  ['nothing but the connection is lost', async () => {}],
  [
    'the server numbers the inbox anew',
    async ({ store, user }) => {
      const before = await inbox(store)
      // It takes the second for UIDVALIDITY.
      await sleep(1_010)
      await removeFiles(user, 'dovecot*')
      return async () => expect((await inbox(store))?.uidValidity).not.toBe(before?.uidValidity)
    },
  ],
  ['the server forgets its mod-sequences', ({ user }) => removeFiles(user, 'dovecot.index*')],
  [
    'it is forgotten how far the sync had come',
    ({ store }) =>
      store.commit((write) => [write.update(folders).set({ uidNext: null, highestModseq: null })]),
  ],
  [
    'all is forgotten of the folders but their mail',
    ({ store }) =>
      store.commit((write) => [
        write.update(folders).set({
          uidValidity: null,
          uidNext: null,
          highestModseq: null,
          syncedDownToUid: null,
          firstSyncedAt: null,
        }),
      ]),
  ],
  [
    'the account gets other settings',
    ({ store }) =>
      store.commit((write) => [
        write.update(accounts).set({ settingsRevision: sql`${accounts.settingsRevision} + 1` }),
      ]),
  ],
  [
    'the account is removed and added again',
    async ({ store, user }) => {
      const [account] = await store.read.select().from(accounts)
      await removeAccount(syncPorts(store), { id: account?.id ?? 0 })
      expect(await shownMail(store)).toEqual([])
      await addAccount(store, dovecot, user)
    },
  ],
]

test.for(LOSSES)(
  'old mail is all there, and is neither told nor filtered again when %s (peers: EmailEngine #104, MailFlow #354)',
  async ([, lose]) => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const user = await dovecot.addUser()
    await seedMaildir(user, 'INBOX', generatedMailbox(OLD))
    await addAccount(store, dovecot, user)
    await store.commit((write) => [
      write.insert(filters).values({
        position: 1,
        enabled: true,
        conditions: [{ field: 'subject', op: 'contains', value: '' }],
        actions: [{ type: 'label', arg: 'filtered' }],
        createdAt: 0,
      }),
    ])
    await whileSyncing(store, () => syncedOnce(store))
    const [before] = await leases(store)
    const isLost = await lose({ store, user })
    startSync(store)
    await syncedOnce(store, before)
    await dovecot.deliver(user, mail('new'))
    await eventually(async () =>
      expect(await told(store)).toEqual(['message.received new', 'message.updated new labeled']),
    )
    const shown = await shownMail(store)
    expect(shown).toHaveLength(OLD + 1)
    expect(shown.filter(({ labels }) => labels.includes('filtered'))).toMatchObject([
      { subject: 'new' },
    ])
    if (typeof isLost === 'function') await isLost()
  },
)

const leases = (store: Store) => store.read.select().from(accountLeases)
type AccountLease = Awaited<ReturnType<typeof leases>>[number]

/** The account has been synced once by whoever holds it now, which was not so at the time of `before`. */
const syncedOnce = (store: Store, before?: AccountLease) =>
  eventually(async () => {
    const [lease] = await leases(store)
    expect(lease?.syncedOnce).toBe(true)
    expect([lease?.accountId, lease?.epoch]).not.toEqual([before?.accountId, before?.epoch])
  })

async function told(store: Store) {
  const rows = await store.read.select().from(events).orderBy(events.id)
  return rows.map(({ kind, data }) =>
    [kind, data['subject'] ?? data['error'], data['change']].filter(Boolean).join(' '),
  )
}
