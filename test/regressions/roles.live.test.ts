import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { startGmail } from '../lab/gmail-imap.ts'
import { addAccount, startSync, syncedOnce } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { scaledClock } from '../support/scaled-clock.ts'
import { smallMail as mail } from '../support/small-mail.ts'

test('an account in any language has its roles, and its mail is told (peer: EmailEngine #126, #465)', async () => {
  const names = {
    '\\All': 'Alle Nachrichten',
    '\\Drafts': 'Entwürfe',
    '\\Junk': 'Spam (Werbung)',
    '\\Sent': 'Gesendet',
    '\\Trash': 'Papierkorb',
  }
  const gmail = await startGmail({ names })
  onTestFinished(() => gmail.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  await addAccount(store, gmail, await gmail.addUser())
  startSync(store, { clock: scaledClock(20) })
  await syncedOnce(store)
  gmail.deliver(mail('in'))
  gmail.deliver(mail('out'), { labels: ['\\Sent'] })
  await eventually(async () => {
    const told = await store.read.select().from(events)
    expect(told.map(({ kind, data }) => [kind, data['subject']].join(' ')).toSorted()).toEqual([
      'message.received in',
      'message.sent out',
    ])
  })
  const known = await store.read.select().from(folders)
  expect(Object.fromEntries(known.map(({ path, specialUse }) => [path, specialUse]))).toEqual({
    INBOX: 'inbox',
    '[Gmail]': null,
    '[Gmail]/Alle Nachrichten': 'archive',
    '[Gmail]/Entwürfe': 'drafts',
    '[Gmail]/Gesendet': 'sent',
    '[Gmail]/Papierkorb': 'trash',
    '[Gmail]/Spam (Werbung)': 'spam',
  })
})
