import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, startSync, subjects, synced, whileSyncing } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { smallMail as mail } from '../support/small-mail.ts'

describe('an account whose server does not do as asked', () => {
  const shown = async (store: Store) => (await store.read.select().from(accounts))[0]
  const change = (store: Store, set: Partial<typeof accounts.$inferInsert>) =>
    store.commit((write) => [
      write
        .update(accounts)
        .set({ ...set, settingsRevision: sql`${accounts.settingsRevision} + 1` }),
    ])

  test('shows a refused login in the words of the server, and syncs once the password is right', async () => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const dovecot = await startLabDovecot()
    onTestFinished(() => dovecot.stop())
    const user = await dovecot.addUser()
    await dovecot.deliver(user, mail('behind the login'))
    await addAccount(store, dovecot, { ...user, password: 'wrong' })
    const wake = startSync(store)
    await eventually(async () =>
      expect(await shown(store)).toMatchObject({
        state: 'error',
        error: expect.stringContaining('Authentication failed'),
      }),
    )
    await change(store, { sealedPassword: user.password })
    wake.now('accounts')
    await synced(store)
    expect((await shown(store))?.error).toBeNull()
    expect(await subjects(store)).toEqual(['behind the login'])
  })

  test('shows that a server is not there, keeps what it had, and catches up when it is back', async () => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const dovecot = await startLabDovecot()
    onTestFinished(() => dovecot.stop())
    const user = await dovecot.addUser()
    await dovecot.deliver(user, mail('before'))
    await addAccount(store, dovecot, user)
    await whileSyncing(store, () => synced(store))
    const { imapPort } = dovecot

    await change(store, { imapPort: 1 })
    const wake = startSync(store)
    await eventually(async () =>
      expect(await shown(store)).toMatchObject({
        state: 'error',
        error: expect.stringContaining('ECONNREFUSED'),
        lastSyncAt: expect.any(Number),
      }),
    )
    expect(await subjects(store)).toEqual(['before'])
    await dovecot.deliver(user, mail('meanwhile'))
    await change(store, { imapPort })
    wake.now('accounts')
    await eventually(async () => expect(await subjects(store)).toEqual(['before', 'meanwhile']))
  })

  test('is refused by a server that offers no STARTTLS, and no password is sent in clear', async () => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const heard: string[] = []
    const server = createServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hello\r\n')
      socket.on('error', () => {})
      socket.on('data', (data) => {
        heard.push(String(data))
        const [tag, command] = String(data).split(/[ \r]/)
        if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n')
        socket.write(`${tag} OK done\r\n`)
      })
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const user = { user: 'ada', password: 'unspoken', email: 'ada@example.org', maildir: '' }
    const { port: imapPort } = server.address() as AddressInfo
    await addAccount(store, { host: '127.0.0.1', imapPort }, user)
    await change(store, { imapTls: 'starttls' })
    startSync(store)
    await eventually(async () => expect(await shown(store)).toMatchObject({ state: 'error' }))
    expect((await shown(store))?.error).toMatch(/STARTTLS/i)
    expect(heard.join('')).not.toContain(Buffer.from('unspoken').toString('base64'))
    expect(heard.join('')).not.toMatch(/LOGIN|AUTHENTICATE|unspoken/)
  })
})
