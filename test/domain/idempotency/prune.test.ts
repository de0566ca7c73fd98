import { expect, onTestFinished, test } from 'vitest'
import { idempotencyKeys } from '../../../db/schema/idempotency-keys.ts'
import { pruneIdempotencyKeys } from '../../../domain/idempotency/prune.ts'
import { harness } from '../../support/harness.ts'

test('keys are kept for a day, however many there are', async () => {
  const h = await harness()
  onTestFinished(h.close)
  const { store, clock } = h.runtime
  const dayAgo = clock.now().getTime() - 24 * 60 * 60_000
  const keyed = (key: string, createdAt: number) => ({
    tokenId: h.token.id,
    route: 'POST /messages/send',
    key,
    kind: 'outbox' as const,
    entityId: 1,
    createdAt,
  })
  const old = Array.from({ length: 450 }, (_, count) => keyed(`old ${count}`, dayAgo - 1))
  await store.commit((write) => [
    write.insert(idempotencyKeys).values([...old, keyed('young', dayAgo)]),
  ])
  await pruneIdempotencyKeys(h.runtime)
  expect(await store.read.select().from(idempotencyKeys)).toMatchObject([{ key: 'young' }])
})
