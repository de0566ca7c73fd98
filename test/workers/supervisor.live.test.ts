import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import type { MailServer, MailSession } from '../../runtime/ports/mail-server.ts'
import { scriptedMailServer } from '../support/scripted-mail-server.ts'
import { addAccount, startSync } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const ACCOUNTS = 20

test('accounts whose silent servers take their time to say goodbye wait for none of each other', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { mailServer: scripted } = scriptedMailServer()
  let connected = 0
  const slowly = (session: MailSession): MailSession => ({
    ...session,
    listMailboxes: async () => [],
    watchElsewhere: async () => false,
    // What LOGOUT takes where the line is dead.
    close: () => new Promise((resolve) => setTimeout(resolve, 2_000)),
  })
  const mailServer: MailServer = {
    async connect(settings, options) {
      connected += 1
      return slowly(await scripted.connect(settings, options))
    },
  }
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const user = { user: `u${n}`, password: 'x', email: `u${n}@example.org` }
    await addAccount(store, { host: '127.0.0.1', imapPort: 1 }, user)
  }
  const wake = startSync(store, { mailServer })
  await eventually(async () => expect(connected).toBe(ACCOUNTS))
  await store.commit((write) => [
    write.update(accounts).set({ settingsRevision: sql`${accounts.settingsRevision} + 1` }),
  ])
  wake.now('accounts')
  await eventually(async () => expect(connected).toBe(2 * ACCOUNTS))
})
