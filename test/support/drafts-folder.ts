import type { ImapFlow } from 'imapflow'
import { expect } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { systemClock } from '../../runtime/node/clock.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { eventually } from './eventually.ts'

/** Whoever writes on this clock has long been quiet: a draft is published at once. */
export const longAgo = { ...systemClock, now: () => new Date(Date.now() - 60_000) }

/** What another mail program sees in a folder, by UID. */
export async function copiesOf(client: ImapFlow, path = 'Drafts') {
  const lock = await client.getMailboxLock(path)
  try {
    // What has come since it was opened is known after a command only.
    await client.noop()
    if (client.mailbox && client.mailbox.exists === 0) return []
    const found = await client.fetchAll('1:*', { uid: true, source: true, flags: true })
    return found.map(({ uid, source, flags }) => ({
      uid,
      source: source?.toString('latin1') ?? '',
      flags: [...(flags ?? [])],
    }))
  } finally {
    lock.release()
  }
}

/** Resolves when the server has been told of all that was written here. */
export const published = (store: Store) =>
  eventually(async () => {
    const rows = await store.read.select().from(drafts)
    expect(rows.filter(({ publishDueAt }) => publishDueAt !== null)).toEqual([])
    expect(await store.read.select().from(mailboxChanges)).toEqual([])
  })
