import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { until } from './processes.ts'

const WITHIN_MS = 10_000

/** What a process knows of itself. */
export interface ProcessWatch {
  /** How late its timers fired since it was last asked. */
  readonly delayMs: { readonly p99: number; readonly max: number }
  /** Bytes of its main thread, as `process.memoryUsage()` names them. */
  readonly memory: {
    readonly heapUsed: number
    readonly heapTotal: number
    readonly external: number
  }
}

/** The environment in which processes can be asked for it. */
export const watched = (directory: string) => ({
  BENCH_DIRECTORY: directory,
  NODE_OPTIONS: `--import=${import.meta.resolve('./process-watch-preload.ts')}`,
})

/** What the process, started in that environment, says now. */
export function watchOf(pid: number, directory: string): Promise<ProcessWatch> {
  const file = join(directory, `process-${pid}.json`)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  return until('what a process knows of itself', WITHIN_MS, () => {
    const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return written === '' ? undefined : (JSON.parse(written) as ProcessWatch)
  })
}
