import { expect, test } from 'vitest'
import { memoryMetrics } from '../../runtime/memory/metrics.ts'
import { logMetrics } from '../../workers/metrics-log.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const TEN_MINUTES_MS = 10 * 60_000

test('the counters are logged every ten minutes, and not once more when the process ends', async () => {
  const [clock, logger, metrics] = [fakeClock(), recordingLogger(), memoryMetrics()]
  const stopping = new AbortController()
  const ended = logMetrics({ clock, logger, metrics }, stopping.signal)
  metrics.count('imap_connections_opened_total')
  clock.advance(TEN_MINUTES_MS - 1)
  await Promise.resolve()
  expect(logger.lines).toEqual([])
  clock.advance(1)
  await expect.poll(() => logger.lines).toHaveLength(1)
  expect(logger.lines).toMatchObject([
    { level: 'debug', message: 'metrics', fields: { imap_connections_opened_total: 1 } },
  ])
  stopping.abort()
  await ended
  expect(logger.lines).toHaveLength(1)
})
