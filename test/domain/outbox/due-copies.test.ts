import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { outbox } from '../../../db/schema/outbox.ts'
import { COPY_AFTER_MS, dueCopies } from '../../../domain/outbox/copies/due.ts'
import { harness } from '../../support/harness.ts'
import { entries, queueOutgoing } from '../../support/outgoing.ts'

async function setUp() {
  const h = await harness()
  onTestFinished(h.close)
  const { store } = h.runtime
  const nowMs = () => h.clock.now().getTime()
  const account = async () => {
    const { id: accountId } = await h.make.account()
    /** The id of an entry that has just been sent. */
    const send = async () => {
      await queueOutgoing(store, { accountId, nowMs: nowMs() })
      const id = (await entries(store)).at(-1)?.id ?? 0
      const settledAt = nowMs()
      const nextCopyAt = settledAt + COPY_AFTER_MS
      await store.commit((write) => [
        write
          .update(outbox)
          .set({ status: 'sent', copy: 'wanted', settledAt, nextCopyAt })
          .where(eq(outbox.id, id)),
      ])
      return id
    }
    return { send, due: () => dueCopies(h.runtime, accountId) }
  }
  return { store, clock: h.clock, account }
}

test('copies are filed once nothing has been sent for a moment, those of several messages together', async () => {
  const { clock, account } = await setUp()
  const { send, due } = await account()
  const first = await send()
  expect(await due()).toEqual([])
  clock.advance(200)
  const second = await send()
  clock.advance(200)
  expect(await due()).toEqual([])
  clock.advance(100)
  expect(await due()).toEqual([first, second])
})

test('a copy waits for ten seconds at most, however much is sent', async () => {
  const { clock, account } = await setUp()
  const { send, due } = await account()
  const first = await send()
  for (let n = 0; n < 51; n += 1) {
    clock.advance(200)
    await send()
    expect(await due()).toEqual([])
  }
  clock.advance(200)
  await send()
  expect(await due()).toEqual([first])
})

test('neither another account nor a copy that is tried again holds copies up', async () => {
  const { store, clock, account } = await setUp()
  const [ada, grace] = [await account(), await account()]
  const failing = await ada.send()
  await store.commit((write) => [
    write
      .update(outbox)
      .set({ copyAttempts: 1, nextCopyAt: clock.now().getTime() + 60_000 })
      .where(eq(outbox.id, failing)),
  ])
  const copy = await ada.send()
  clock.advance(COPY_AFTER_MS)
  await grace.send()
  expect(await ada.due()).toEqual([copy])
})
