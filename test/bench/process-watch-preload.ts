// Preloaded into processes of the bench: writes what only they themselves can know when SIGUSR2 asks.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 5
const NANOSECONDS = 1e6
const directory = process.env['BENCH_DIRECTORY']

if (isMainThread && directory !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  // What is recorded is the time between two ticks, the interval itself included.
  const late = (value: number) => Math.max(0, value / NANOSECONDS - RESOLUTION_MS)
  process.on('SIGUSR2', () => {
    const { heapUsed, heapTotal, external } = process.memoryUsage()
    const figures = {
      delayMs: { p99: late(delays.percentile(99)), max: late(delays.max) },
      memory: { heapUsed, heapTotal, external },
    }
    writeFileSync(`${directory}/process-${process.pid}.json`, JSON.stringify(figures))
    delays.reset()
  })
}
