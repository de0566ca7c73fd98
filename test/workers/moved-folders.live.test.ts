import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailServer, MailSession } from '../../runtime/ports/mail-server.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, shownMail, startSync, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { smallMail as mail } from '../support/small-mail.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

/** An account with these folders, a message in each, made far enough apart for a UIDVALIDITY of its own. */
async function synchronised(paths: readonly string[], mailServer: MailServer = wrapped({})) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  for (const path of paths) {
    await client.mailboxCreate(path)
    await client.append(path, mail(`in ${path}`))
    await sleep(1_010)
  }
  await addAccount(store, dovecot, user)
  await whileSyncing(store, () => synced(store), { mailServer })
  const mails = async () =>
    Object.fromEntries(
      (await shownMail(store)).map(({ id, path, subject }) => [id, [path, subject]]),
    )
  return { store, client, mails, before: await mails() }
}

/** The real server, where `changed` says nothing else. */
function wrapped(changed: {
  select?: (session: MailSession, path: string) => ReturnType<MailSession['select']>
  listMailboxes?: (session: MailSession) => ReturnType<MailSession['listMailboxes']>
}): MailServer {
  const server = imapflowMailServer({ metrics: memoryMetrics() })
  return {
    async connect(settings, options) {
      const session = await server.connect(settings, options)
      return {
        ...session,
        select: (path) => changed.select?.(session, path) ?? session.select(path),
        listMailboxes: () => changed.listMailboxes?.(session) ?? session.listMailboxes(),
      }
    },
  }
}

test('a mailbox that is deleted, but stays as the parent of another, takes its mail with it', async () => {
  const { store, client, mails } = await synchronised(['Parent', 'Parent/Child'])
  await client.mailboxDelete('Parent')
  startSync(store)
  await eventually(async () =>
    expect(Object.values(await mails())).toEqual([['Parent/Child', 'in Parent/Child']]),
  )
})

test('a renamed mailbox whose old name is made anew keeps its mail and its ids', async () => {
  const { store, client, mails, before } = await synchronised(['Work'])
  const [id = ''] = Object.keys(before)
  await client.mailboxRename('Work', 'Work 2025')
  await client.mailboxCreate('Work')
  await client.append('Work', mail('new'))
  startSync(store)
  await eventually(async () => expect(Object.keys(await mails())).toHaveLength(2))
  expect(await mails()).toMatchObject({ [id]: ['Work 2025', 'in Work'] })
})

test('two mailboxes that changed names with each other keep their mail and its ids', async () => {
  const { store, client, mails, before } = await synchronised(['A', 'B'])
  const [first = '', second = ''] = Object.keys(before)
  await client.mailboxRename('A', 'C')
  await client.mailboxRename('B', 'A')
  await client.mailboxRename('C', 'B')
  startSync(store)
  await eventually(async () =>
    expect(await mails()).toEqual({ [first]: ['B', 'in A'], [second]: ['A', 'in B'] }),
  )
})

test('where a UIDVALIDITY is no time, a new mailbox that has that of a deleted one is not taken for it', async () => {
  const isOne = (path: string) => path === 'Old' || path === 'New'
  const mailServer = wrapped({
    select: async (session, path) => {
      const { mailboxId: _, ...selected } = await session.select(path)
      return isOne(path) ? { ...selected, uidValidity: 1n } : selected
    },
    listMailboxes: async (session) =>
      (await session.listMailboxes()).map((mailbox) =>
        mailbox.status && isOne(mailbox.path)
          ? { ...mailbox, status: { ...mailbox.status, uidValidity: 1n } }
          : mailbox,
      ),
  })
  const { store, client, mails } = await synchronised(['Old'], mailServer)
  await client.mailboxDelete('Old')
  await client.mailboxCreate('New')
  await client.append('New', mail('in New'))
  startSync(store, { mailServer })
  await eventually(async () => expect(Object.values(await mails())).toEqual([['New', 'in New']]))
})

test('a new mailbox that nobody may open, beside one that goes, ends no pass', async () => {
  const mailServer = wrapped({
    select: (session, path) =>
      path === 'Closed'
        ? Promise.reject(new MailServerError('refused', 'Permission denied', { retryable: true }))
        : session.select(path),
  })
  const { store, client, mails } = await synchronised(['Old', 'Kept'], mailServer)
  await client.mailboxDelete('Old')
  await client.mailboxCreate('Closed')
  await client.append('Kept', mail('later'))
  startSync(store, { mailServer })
  await eventually(async () =>
    expect(Object.values(await mails())).toEqual([
      ['Kept', 'in Kept'],
      ['Kept', 'later'],
    ]),
  )
  await synced(store)
})
