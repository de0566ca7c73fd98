import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../../db/schema/accounts.ts'
import { contents } from '../../../db/schema/contents.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import { accountLeases } from '../../../db/schema/sidecars.ts'
import { threads } from '../../../db/schema/threads.ts'
import { addAccount, type AddAccount } from '../../../domain/accounts/add.ts'
import { getAccountByName } from '../../../domain/accounts/get-by-name.ts'
import { listAccountSettings } from '../../../domain/accounts/list-settings.ts'
import { openServers } from '../../../domain/accounts/open-servers.ts'
import { removeAccount } from '../../../domain/accounts/remove.ts'
import { updateAccount } from '../../../domain/accounts/update.ts'
import { acquireLease, underLease } from '../../../domain/sync/lease.ts'
import { memoryWake } from '../../../runtime/memory/wake.ts'
import { aesSecretBox } from '../../../runtime/node/secret-box.ts'
import { temporaryStore } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memorySourceStore } from '../../support/memory-source-store.ts'
import { noTranscripts } from '../../support/no-transcripts.ts'

const ADA: AddAccount = {
  email: 'ada@example.com',
  imap: { host: 'imap.example.com' },
  smtp: { host: 'smtp.example.com' },
  password: 'correct horse',
}

async function context() {
  const database = await temporaryStore()
  onTestFinished(() => database.remove())
  const { store } = database
  const sourceStore = memorySourceStore()
  const secretBox = aesSecretBox(new Uint8Array(32).fill(1))
  const outbound = { send: () => Promise.reject(new Error('A password needs no network.')) }
  const ctx = {
    store,
    sourceStore,
    secretBox,
    transcripts: noTranscripts,
    outbound,
    clock: fakeClock(),
    wake: memoryWake(),
  }
  return { ...ctx, make: factories(store, sourceStore) }
}

/** The passwords for IMAP and SMTP that the account named so logs in with. */
async function passwords(ctx: Awaited<ReturnType<typeof context>>, name: string) {
  const { imap, smtp } = await openServers(ctx, await getAccountByName(ctx, name))
  return [imap, smtp].map(({ login }) => login.kind === 'password' && login.password)
}

/** Whether a wake came since the last look. */
async function wasWoken(ctx: { wake: ReturnType<typeof memoryWake> }): Promise<boolean> {
  const waited = ctx.wake.wait('accounts', AbortSignal.timeout(20)).then(() => performance.now())
  const startedAtMs = performance.now()
  return (await waited) - startedAtMs < 10
}

test('the name, the users and the ports follow from the address and TLS unless given', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, {
    ...ADA,
    smtp: { host: 'smtp.example.com', tls: 'starttls' },
  })
  expect(await listAccountSettings(ctx)).toEqual([
    {
      id,
      name: 'ada@example.com',
      email: 'ada@example.com',
      imap: { host: 'imap.example.com', port: 993, tls: 'implicit', user: 'ada@example.com' },
      smtp: { host: 'smtp.example.com', port: 587, tls: 'starttls', user: 'ada@example.com' },
      sourceDays: null,
      transcribed: false,
      sentCopy: 'auto',
      state: 'syncing',
    },
  ])
  expect(await wasWoken(ctx)).toBe(true)
})

test('passwords are sealed in the store and open again', async () => {
  const ctx = await context()
  await addAccount(ctx, ADA)
  await addAccount(ctx, { ...ADA, name: 'two', smtpPassword: 'battery staple' })
  const first = await getAccountByName(ctx, 'ada@example.com')
  const second = await getAccountByName(ctx, 'two')
  expect(JSON.stringify([first, second])).not.toMatch(/horse|staple/)
  expect(await passwords(ctx, first.name)).toEqual(['correct horse', 'correct horse'])
  expect(await passwords(ctx, second.name)).toEqual(['correct horse', 'battery staple'])
})

test('a name is taken whatever its case or encoding', async () => {
  const ctx = await context()
  await addAccount(ctx, { ...ADA, name: 'Zoë' })
  const again = addAccount(ctx, { ...ADA, name: ' ZOE\u0308 ' })
  await expect(again).rejects.toMatchObject({ code: 'invalid_request', message: /already/ })
  const other = await addAccount(ctx, { ...ADA, name: 'other' })
  const renamed = updateAccount(ctx, { id: other.id, name: 'zoë' })
  await expect(renamed).rejects.toMatchObject({ code: 'invalid_request', message: /already/ })
  expect(await listAccountSettings(ctx)).toHaveLength(2)
})

test.each<[string, Partial<AddAccount>]>([
  ['an address without @', { email: 'ada' }],
  ['two addresses', { email: 'a@b.c, d@e.f' }],
  ['an address with a line break', { email: 'a@b.c\r\nd' }],
  ['a blank name', { name: ' ' }],
  ['a long name', { name: 'x'.repeat(201) }],
  ['a name with a control character', { name: 'a\u0007b' }],
  ['no host', { imap: { host: '' } }],
  ['a host with a port', { imap: { host: 'imap.example.com:993' } }],
  ['a URL for a host', { smtp: { host: 'smtp://smtp.example.com' } }],
  ['port 0', { imap: { host: 'h', port: 0 } }],
  ['port 65536', { smtp: { host: 'h', port: 65_536 } }],
  ['half a port', { smtp: { host: 'h', port: 25.5 } }],
  ['an empty user', { imap: { host: 'h', user: '' } }],
  ['an empty password', { password: '' }],
  ['a password of two lines', { password: 'secret\r\nA1 LOGOUT' }],
  ['an empty SMTP password', { smtpPassword: '' }],
])('%s is refused and nothing is stored', async (_what, wrong) => {
  const ctx = await context()
  const added = addAccount(ctx, { ...ADA, ...wrong })
  await expect(added).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(added).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
  expect(await listAccountSettings(ctx)).toEqual([])
})

test('a change of a server counts the settings on, forgets the error and keeps the rest', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, ADA)
  await ctx.store.commit((write) => [
    write.update(accounts).set({ state: 'error', error: 'No.' }).where(eq(accounts.id, id)),
  ])
  await updateAccount(ctx, { id, imap: { tls: 'starttls' } })
  const changed = await getAccountByName(ctx, 'ada@example.com')
  expect(changed).toMatchObject({
    imapHost: 'imap.example.com',
    imapPort: 143,
    imapTls: 'starttls',
    imapUser: 'ada@example.com',
    smtpPort: 465,
    settingsRevision: 2,
    state: 'syncing',
    error: null,
  })
  expect(await passwords(ctx, changed.name)).toEqual(['correct horse', 'correct horse'])
})

test('a port of its own does not follow the TLS mode', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, { ...ADA, imap: { host: 'h', port: 1993 } })
  await updateAccount(ctx, { id, imap: { tls: 'none' } })
  expect(await getAccountByName(ctx, String(id))).toMatchObject({ imapPort: 1993, imapTls: 'none' })
})

test('a new name leaves the connection alone', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, ADA)
  await updateAccount(ctx, { id, name: 'Work' })
  expect(await getAccountByName(ctx, 'work')).toMatchObject({
    id,
    name: 'Work',
    settingsRevision: 1,
  })
})

test('a new password replaces the old one, for SMTP too', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, { ...ADA, smtpPassword: 'battery staple' })
  await updateAccount(ctx, { id, password: 'new', smtpPassword: null })
  expect(await passwords(ctx, String(id))).toEqual(['new', 'new'])
})

test('an age limit of sources leaves the connection alone', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, ADA)
  await updateAccount(ctx, { id, sourceDays: 30 })
  expect(await getAccountByName(ctx, String(id))).toMatchObject({
    sourceDays: 30,
    settingsRevision: 1,
  })
  await updateAccount(ctx, { id, name: 'Ada' })
  expect(await getAccountByName(ctx, String(id))).toMatchObject({ sourceDays: 30 })
  await updateAccount(ctx, { id, sourceDays: null })
  expect(await getAccountByName(ctx, String(id))).toMatchObject({ sourceDays: null })
})

test.each([0, -1, 1.5, 36_501, Number.NaN])('%d days are no age limit', async (sourceDays) => {
  const ctx = await context()
  const { id } = await addAccount(ctx, ADA)
  await expect(updateAccount(ctx, { id, sourceDays })).rejects.toThrow(/from 1 to 36500 days/)
})

test('turning the transcript on or off makes the account connect anew, saying so twice does not', async () => {
  const ctx = await context()
  const { id } = await addAccount(ctx, ADA)
  const revisions: number[] = []
  for (const transcribed of [true, true, false]) {
    await updateAccount(ctx, { id, transcribed })
    const account = await getAccountByName(ctx, String(id))
    expect(account.transcribed).toBe(transcribed)
    revisions.push(account.settingsRevision)
  }
  expect(revisions).toEqual([2, 2, 3])
})

test('an account that is not there cannot be changed or removed', async () => {
  const ctx = await context()
  const notFound = { code: 'not_found' }
  await expect(updateAccount(ctx, { id: 7, name: 'x' })).rejects.toMatchObject(notFound)
  await expect(removeAccount(ctx, { id: 7 })).rejects.toMatchObject(notFound)
  await expect(getAccountByName(ctx, '7')).rejects.toMatchObject(notFound)
})

test('removing takes everything of the account and nothing of another', async () => {
  const ctx = await context()
  const [gone, kept] = [await ctx.make.account(), await ctx.make.account()]
  const [goneInbox, keptInbox] = [await ctx.make.inbox(gone.id), await ctx.make.inbox(kept.id)]
  const shared = await ctx.make.message(keptInbox, { source: 'Subject: shared\r\n\r\nboth\r\n' })
  for (let i = 0; i < 120; i += 1) await ctx.make.message(goneInbox)
  const own = await ctx.make.message(goneInbox, { source: 'Subject: own\r\n\r\none\r\n' })
  const [ownContent] = await ctx.store.read
    .select()
    .from(contents)
    .where(eq(contents.id, own.contentId))
  await ctx.store.transaction(async (tx) => {
    await tx
      .update(messages)
      .set({ contentId: shared.contentId })
      .where(eq(messages.id, own.id - 1))
  })

  await removeAccount(ctx, { id: gone.id })

  const idsOf = async (table: typeof accounts | typeof folders | typeof messages) =>
    (await ctx.store.read.select({ id: table.id }).from(table)).map(({ id }) => id)
  expect(await idsOf(accounts)).toEqual([kept.id])
  expect(await idsOf(folders)).toEqual([keptInbox.id])
  expect(await idsOf(messages)).toEqual([shared.id])
  expect(await ctx.store.read.select().from(threads)).toHaveLength(1)
  expect(await ctx.store.read.select().from(accountLeases)).toEqual([])
  expect(await ctx.sourceStore.get(ownContent?.sourceHash ?? '')).toBeUndefined()
  const [left] = await ctx.store.read
    .select()
    .from(contents)
    .where(eq(contents.id, shared.contentId))
  expect(await ctx.sourceStore.get(left?.sourceHash ?? '')).toBeDefined()
})

test('a sync that runs while its account is removed writes nothing more', async () => {
  const ctx = await context()
  const account = await ctx.make.account()
  const inbox = await ctx.make.inbox(account.id)
  for (let i = 0; i < 60; i += 1) await ctx.make.message(inbox)
  const lease = await acquireLease(ctx, account.id, 'sidecar')
  if (!lease) throw new Error('The lease was not free.')
  const removing = removeAccount(ctx, { id: account.id })
  await ctx.wake.wait('accounts', AbortSignal.timeout(1_000))
  const late = underLease(ctx, lease, (tx) =>
    tx.insert(folders).values({ accountId: account.id, path: 'Late' }),
  )
  await expect(late).rejects.toThrow(/synced by another process/)
  expect(await acquireLease(ctx, account.id, 'other')).toBeUndefined()
  await removing
  expect(await ctx.store.read.select().from(folders)).toEqual([])
})
