import { expect, onTestFinished, test } from 'vitest'
import { sidecars } from '../../../db/schema/sidecars.ts'
import { sidecarUrls } from '../../../runtime/entries/sidecar-urls.ts'
import { temporaryStore } from '../../support/database.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { TEST_CONFIG } from '../../support/test-config.ts'

async function asked(config = TEST_CONFIG) {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const clock = fakeClock()
  const register = (id: string) =>
    store.transaction(async (tx) => {
      await tx.delete(sidecars)
      await tx
        .insert(sidecars)
        .values({ id, url: `http://127.0.0.1/${id}`, heartbeatAt: Date.now() })
    })
  return { clock, register, urls: sidecarUrls({ store, config, clock }) }
}

test('a sidecar is known as soon as there is one', async () => {
  const { urls, register } = await asked()
  expect(await urls()).toEqual([])
  await register('first')
  expect(await urls()).toEqual(['http://127.0.0.1/first'])
})

test('another in its place is known a second later, whichever way the clock was turned', async () => {
  const { urls, register, clock } = await asked()
  await register('first')
  await urls()
  await register('second')
  clock.advance(999)
  expect(await urls()).toEqual(['http://127.0.0.1/first'])
  clock.advance(1)
  expect(await urls()).toEqual(['http://127.0.0.1/second'])
  await register('third')
  clock.advance(-3_600_000)
  expect(await urls()).toEqual(['http://127.0.0.1/third'])
})

test('one that is configured is taken for granted', async () => {
  const { urls } = await asked({ ...TEST_CONFIG, sidecarUrl: 'http://sidecar:9000' })
  expect(await urls()).toEqual(['http://sidecar:9000'])
})
