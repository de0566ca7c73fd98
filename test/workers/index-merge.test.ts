import { expect, onTestFinished, test } from 'vitest'
import { isIndexScattered } from '../../domain/search/merge-index.ts'
import { mergeIndex } from '../../workers/index-merge.ts'
import { temporaryStore } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { filledIndex } from '../support/filled-index.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const BATCHES = 60

test('the sidecar merges the index once it rests, and not while it is being filled', async () => {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { add } = await filledIndex(store, BATCHES)
  const fake = fakeClock()
  const sleep = (ms: number, signal?: AbortSignal) => fake.sleep(ms < 1_000 ? 0 : ms, signal)
  const clock = { ...fake, sleep }
  const logger = recordingLogger()
  const ended = new AbortController()
  const running = mergeIndex({ store, clock, logger }, ended.signal)
  onTestFinished(() => {
    ended.abort()
    return running
  })
  const minute = async () => {
    clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  for (let batch = BATCHES; batch < BATCHES + 10; batch += 5) {
    for (let next = 0; next < 5; next += 1) await add(batch + next)
    await minute()
    expect(await isIndexScattered({ store })).toBe(true)
  }
  await eventually(async () => {
    await minute()
    expect(logger.lines).toMatchObject([{ level: 'debug', message: 'The search index is merged.' }])
  })
  expect(await isIndexScattered({ store })).toBe(false)
})
