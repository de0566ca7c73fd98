import { expect, onTestFinished, test } from 'vitest'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { InteractiveLanes } from '../../workers/interactive-lanes.ts'
import { sourceRefetch } from '../../workers/source-refetch.ts'
import { harness } from '../support/harness.ts'

const REST_MS = 5 * 60_000
const REFUSED = new MailServerError('auth', 'Wrong password.', { retryable: false })
const AWAY = new MailServerError('unreachable', 'Nobody is there.', { retryable: true })
const NO = new MailServerError('refused', 'No such mailbox.', { retryable: false })

/** Missing sources of an account whose server does what `answer` says. */
async function setUp(answer: { failure?: MailServerError } = {}) {
  const h = await harness()
  onTestFinished(() => h.close())
  const account = await h.make.account()
  const inbox = await h.make.inbox(account.id)
  for (const uid of [1, 2])
    await h.make.message(inbox, {
      source: `Subject: ${uid}\r\n\r\n`,
      keepSource: false,
      content: { sourceKept: false },
      serverFolderId: inbox.id,
      uid,
      uidValidity: '1',
    })
  const session = {
    select: async () => ({ uidValidity: 1n }),
    async *fetchMessages([uid]: readonly number[]) {
      yield { source: new TextEncoder().encode(`Subject: ${uid}\r\n\r\n`) }
    },
  } as unknown as MailSession
  let tries = 0
  const lanes: InteractiveLanes = {
    async use(_accountId, work) {
      tries += 1
      if (answer.failure) throw answer.failure
      return work(session)
    },
    close: async () => {},
  }
  const rows = await h.runtime.store.read.select().from(contents)
  const [first = '', second = ''] = rows.map(({ sourceHash }) => sourceHash)
  return { h, answer, first, second, tries: () => tries, refetch: sourceRefetch(h.runtime, lanes) }
}

test('a missing source is fetched, kept and known to be kept', async () => {
  const { h, first, second, refetch } = await setUp()
  expect(await refetch.get(first)).toBeDefined()
  expect(await refetch.restore(second)).toHaveProperty('source')
  for (const hash of [first, second]) expect(await h.sourceStore.get(hash)).toBeDefined()
  const rows = await h.runtime.store.read.select().from(contents)
  expect(rows.map(({ sourceKept }) => sourceKept)).toEqual([true, true])
})

test('a source that is here after all is known to be kept, and nobody is asked for it', async () => {
  const { h, first, refetch, tries } = await setUp()
  const [row] = await h.runtime.store.read.select().from(contents)
  await h.sourceStore.put(new TextEncoder().encode('Subject: 1\r\n\r\n'))
  expect(row?.sourceHash).toBe(first)
  expect(await refetch.restore(first)).toHaveProperty('source')
  expect(tries()).toBe(0)
  const [after] = await h.runtime.store.read.select().from(contents)
  expect(after?.sourceKept).toBe(true)
})

test('a refused login is not tried again for other sources, before its rest is over', async () => {
  const { h, first, second, refetch, tries } = await setUp({ failure: REFUSED })
  expect(await refetch.restore(first)).toBe('away')
  expect(await refetch.restore(second)).toBe('away')
  expect(await refetch.get(second)).toBeUndefined()
  expect(tries()).toBe(1)
  h.clock.advance(REST_MS)
  await refetch.restore(first)
  expect(tries()).toBe(2)
})

test('changed settings end the rest', async () => {
  const { h, answer, first, refetch } = await setUp({ failure: REFUSED })
  await refetch.restore(first)
  delete answer.failure
  expect(await refetch.get(first)).toBeUndefined()
  await h.runtime.store.transaction((tx) => tx.update(accounts).set({ settingsRevision: 2 }))
  expect(await refetch.get(first)).toBeDefined()
})

test('a server that is away is spared by those who can wait, and asked for those who do', async () => {
  const { first, second, refetch, tries } = await setUp({ failure: AWAY })
  expect(await refetch.restore(first)).toBe('away')
  expect(await refetch.restore(second)).toBe('away')
  expect(tries()).toBe(1)
  expect(await refetch.get(first)).toBeUndefined()
  expect(tries()).toBe(2)
})

test('a server that says no is asked for the next one all the same', async () => {
  const { first, second, refetch, tries } = await setUp({ failure: NO })
  expect(await refetch.restore(first)).toBe('gone')
  expect(await refetch.restore(second)).toBe('gone')
  expect(tries()).toBe(2)
})
