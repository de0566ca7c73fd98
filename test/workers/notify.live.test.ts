import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { imapflowMailServer } from '../../runtime/node/imap/mail-server.ts'
import type { MailServer } from '../../runtime/ports/mail-server.ts'
import { type LabDovecot, startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, startSync, subjects, synced } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { smallMail as mail } from '../support/small-mail.ts'

let dovecot: LabDovecot
beforeAll(async () => {
  dovecot = await startLabDovecot()
})
afterAll(() => dovecot.stop())

/** An account with a message in another folder than the inbox. */
async function setUp() {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  await client.mailboxCreate('Work')
  await client.append('Work', mail('there'))
  await addAccount(store, dovecot, user)
  const shows = (subject: string) =>
    eventually(async () => expect(await subjects(store)).toContain(subject))
  return { store, user, client, shows }
}

test('what another client changes in any folder shows within seconds', async () => {
  const { store, user, client, shows } = await setUp()
  startSync(store)
  await synced(store)
  await client.append('Work', mail('sorted by a filter'))
  await shows('sorted by a filter')
  await client.mailboxCreate('Work/New')
  await client.append('Work/New', mail('in a new folder'))
  await shows('in a new folder')
  await dovecot.deliver(user, mail('and the inbox'))
  await shows('and the inbox')
})

test('so does what changes after a folder was looked at and before the next one is opened', async () => {
  const { store, client, shows } = await setUp()
  const server = imapflowMailServer({ metrics: memoryMetrics() })
  let opened = ''
  let isLate = true
  const mailServer: MailServer = {
    async connect(settings, options) {
      const session = await server.connect(settings, options)
      const select: typeof session.select = async (path) => {
        if (opened === 'Work' && path !== 'Work' && isLate) {
          isLate = false
          await client.append('Work', mail('late'))
          await sleep(300)
        }
        opened = path
        return session.select(path)
      }
      return { ...session, select }
    },
  }
  startSync(store, { mailServer })
  await shows('late')
})
