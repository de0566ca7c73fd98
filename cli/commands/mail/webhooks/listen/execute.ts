import { spawn } from 'node:child_process'
import type { EventLine } from './listener-line.ts'
import type { Timing } from './timing.ts'

/** How a command ended: with an exit code, by a signal, or why it never ran. */
export interface Executed {
  readonly exit_code?: number
  readonly signal?: string
  readonly error?: string
  readonly duration_ms: number
}

interface Execution {
  /** Of the service, for the command. */
  readonly url: string
  readonly timing: Timing
  readonly signal: AbortSignal
}

/**
 * Runs a command by `sh -c` for an event, with the payload on standard input. Everything it started and that still
 * belongs to its process group is killed when its time is up, when `signal` aborts, and when this process ends.
 */
export async function execute(
  { event, payload }: EventLine,
  command: string,
  { url, timing, signal }: Execution,
): Promise<Executed> {
  const startedMs = performance.now()
  const child = spawn('sh', ['-c', command], {
    // A process group of its own, to be killed as a whole; an interrupt from the keyboard does not reach it.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, SVC_EVENT: event, SVC_DELIVERY_ID: payload.id, SVC_URL: url },
  })
  let isLate = false
  const kill = () => killGroup(child.pid)
  const late = setTimeout(() => {
    isLate = true
    kill()
  }, timing.commandMs)
  process.once('exit', kill)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  // It need not read what it gets.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(payload))

  const { promise: ended, resolve } = Promise.withResolvers<Omit<Executed, 'duration_ms'>>()
  child.once('error', ({ message }) => resolve({ error: message }))
  child.once('exit', (code, by) =>
    resolve(code === null ? { signal: String(by) } : { exit_code: code }),
  )
  const how = await ended
  clearTimeout(late)
  process.removeListener('exit', kill)
  signal.removeEventListener('abort', kill)
  const lateness = isLate ? { error: `It was killed after ${timing.commandMs / 1_000} s.` } : {}
  return { ...how, ...lateness, duration_ms: Math.round(performance.now() - startedMs) }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
