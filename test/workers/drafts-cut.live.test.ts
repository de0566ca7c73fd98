import { expect, onTestFinished, test } from 'vitest'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import { createDraft } from '../../domain/drafts/create.ts'
import { deleteDraft } from '../../domain/drafts/delete.ts'
import { updateDraft } from '../../domain/drafts/update.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailServer, MailSession } from '../../runtime/ports/mail-server.ts'
import { startLabDovecot } from '../lab/dovecot.ts'
import { addAccount, startSync, synced, syncPorts } from '../support/account-sync.ts'
import { temporaryStore } from '../support/database.ts'
import { copiesOf, longAgo, published } from '../support/drafts-folder.ts'
import { eventually } from '../support/eventually.ts'
import { fastClock } from '../support/scaled-clock.ts'

/** An account whose server takes messages, or does not, and says nothing: what becomes of each APPEND is for `fate` to say. */
async function withLostAnswers(fate: (nth: number) => 'taken' | 'lost before' | 'lost after') {
  const dovecot = await startLabDovecot()
  onTestFinished(() => dovecot.stop())
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const user = await dovecot.addUser()
  const client = await dovecot.secondClient(user)
  await addAccount(store, dovecot, user)
  const ports = syncPorts(store)
  const asked: string[] = []
  const mailServer: MailServer = {
    async connect(...args) {
      const session = await ports.mailServer.connect(...args)
      const append: MailSession['append'] = async (...message) => {
        const becomes = fate(asked.length)
        asked.push(becomes)
        const at = becomes === 'lost before' ? undefined : await session.append(...message)
        if (becomes === 'taken') return at
        throw new MailServerError('unreachable', 'It was cut.', { retryable: true })
      }
      return new Proxy(session, {
        get: (target, name) =>
          name === 'append' ? append : bound(target, Reflect.get(target, name, target)),
      })
    },
  }
  const wake = startSync(store, { mailServer, clock: fastClock(5) })
  await synced(store)
  return { store, client, asked, ctx: { ...ports, wake, clock: longAgo } }
}

const bound = (target: object, value: unknown): unknown =>
  typeof value === 'function' ? value.bind(target) : value

test('a copy whose answer never came is found again, not made again', async () => {
  const fates = ['lost after', 'lost before', 'taken'] as const
  const { store, client, asked, ctx } = await withLostAnswers((nth) => fates[nth] ?? 'taken')
  const { id } = await createDraft(ctx, { subject: 'one' })
  await published(store)
  expect(asked).toEqual(['lost after'])
  await updateDraft(ctx, { id, subject: 'two' })
  await published(store)
  expect(asked).toEqual(fates)
  const copies = await copiesOf(client)
  expect(copies.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])).toEqual(['two'])
  const rows = await store.read.select().from(messages)
  expect(rows).toMatchObject([{ draftId: id, uid: copies[0]?.uid }])
})

test('a draft that is deleted while its copy is on its way leaves nothing', async () => {
  const { store, client, asked, ctx } = await withLostAnswers(() => 'lost after')
  const { id } = await createDraft(ctx, { subject: 'one' })
  await eventually(async () => expect(asked).toHaveLength(1))
  await deleteDraft(ctx, { id })
  await eventually(async () => {
    expect(await store.read.select().from(drafts)).toEqual([])
    expect(await store.read.select().from(mailboxChanges)).toEqual([])
  })
  expect(await copiesOf(client)).toEqual([])
  expect(await store.read.select().from(messages)).toEqual([])
})
