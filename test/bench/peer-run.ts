import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

import { memoryOf } from './processes.ts'
import type { Environment } from './service.ts'

const LOOK_EVERY_MS = 20

/** What a program took for its work. */
export interface PeerRun {
  readonly tookMs: number
  /** Resident memory, as often as somebody looked. */
  readonly peakBytes: number
}

/** Runs a program to its end; throws where that is no good one. */
export async function runPeer(
  [program = '', ...args]: readonly string[],
  environment: Environment,
): Promise<PeerRun> {
  const startMs = performance.now()
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const ended = once(child, 'close').then(([code]) => ({ code, atMs: performance.now() }))
  const [{ code, atMs }, errors, peakBytes] = await Promise.all([
    ended,
    text(child.stderr),
    peakOf(child),
  ])
  process.off('exit', endWithUs)
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`)
  return { tookMs: atMs - startMs, peakBytes }
}

async function peakOf(child: ChildProcess): Promise<number> {
  let peakBytes = 0
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    peakBytes = Math.max(peakBytes, memoryIfAny(child.pid))
    await delay(LOOK_EVERY_MS)
  }
  return peakBytes
}

/** A process that is about to end has no memory left to tell of. */
function memoryIfAny(pid: number): number {
  try {
    return memoryOf(pid).peakBytes || 0
  } catch {
    return 0
  }
}
