import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { until } from './processes.ts'

const WITHIN_MS = 10_000

/** How late timers fired in a process, in milliseconds. */
export interface EventLoopDelay {
  readonly p99Ms: number
  readonly maxMs: number
}

/** The environment in which the processes of a service watch their event loops. */
export const watchingEventLoops = (directory: string) => ({
  BENCH_DIRECTORY: directory,
  NODE_OPTIONS: `--import=${import.meta.resolve('./event-loop-preload.ts')}`,
})

/** What the process, started in that environment, has seen so far. */
export function eventLoopDelayOf(pid: number, directory: string): Promise<EventLoopDelay> {
  const file = join(directory, `delay-${pid}.json`)
  process.kill(pid, 'SIGUSR2')
  return until('the event loop delays', WITHIN_MS, () => {
    const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return written === '' ? undefined : (JSON.parse(written) as EventLoopDelay)
  })
}
