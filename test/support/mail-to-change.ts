import { expect } from 'vitest'
import { accountLeases } from '../../db/schema/sidecars.ts'
import { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { notices } from '../../db/schema/notices.ts'
import { acquireLease } from '../../domain/sync/lease.ts'
import { harness, type HarnessOptions } from './harness.ts'

/** The API over an account "Work" with a message in its inbox, and a view of all that a change writes. */
export async function mailToChange(options: HarnessOptions = {}) {
  const h = await harness(options)
  const { store } = h.runtime
  const account = await h.make.account({ name: 'Work' })
  const inbox = await h.make.inbox(account.id)
  const message = await h.make.message(inbox, {
    serverFolderId: inbox.id,
    uid: 7,
    uidValidity: '1',
    content: { subject: 'Lunch' },
  })
  const queue = () => store.read.select().from(mailboxChanges).orderBy(mailboxChanges.id)
  const rows = () => store.read.select().from(messages).orderBy(messages.id)
  const known = () => store.read.select().from(folders).orderBy(folders.id)
  const told = () => store.read.select().from(events).orderBy(events.id)

  return {
    h,
    account,
    inbox,
    message,
    path: `/api/v1/messages/${message.id}`,
    /** Its answer, as status and body. */
    ask: async (method: string, path: string, body?: unknown) => {
      const answer = await h.send(method, path, body)
      return { status: answer.status, body: (await answer.json()) as unknown }
    },
    rows,
    queue,
    folders: known,
    /** What is queued for servers, without when. */
    queued: async () =>
      (await queue()).map(({ messageId, kind, change }) => ({ messageId, kind, change })),
    told,
    /** What was told of message changes. */
    changesTold: async () =>
      (await told()).map(({ kind, data }) => [
        kind,
        data['id'],
        data['change'],
        data['origin'],
        data['folder'],
      ]),
    notices: () => store.read.select().from(notices).orderBy(notices.id),
    /** All that a change could have written. */
    everything: async () => [await rows(), await queue(), await known(), await told()],
    /** Drops all messages, as when others have deleted them. */
    forgetMessages: () => store.transaction((tx) => tx.delete(messages)),
    /** The right to tell the account's server. */
    lease: async () => {
      const lease = await acquireLease(h.runtime, account.id, 'here')
      if (!lease) throw new Error('The account is held by somebody else.')
      await store.transaction((tx) => tx.update(accountLeases).set({ syncedOnce: true }))
      return lease
    },
    [Symbol.asyncDispose]: h.close,
  }
}

export type MailToChange = Awaited<ReturnType<typeof mailToChange>>

/** The envelope of a refusal. */
export const refusal = (status: number, code: string) => ({
  status,
  body: { error: { code, message: expect.stringMatching(/\w{2}/) as unknown } },
})
