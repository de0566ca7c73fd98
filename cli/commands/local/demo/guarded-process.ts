import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const STOP_WAIT_MS = 2_000

/**
 * The shell becomes the program, so its pid is the program's and names the process group. The guard beside it
 * waits for the end of a pipe that only our process holds: the kernel closes it however we end, SIGKILL
 * included. The guard is in the group it ends, so that the group's number cannot pass to others meanwhile.
 */
const GUARD = `
directory=$1; shift
( trap '' TERM
  cat <&3 >/dev/null
  kill -s TERM -- -$$
  sleep 0.5
  rm -rf -- "$directory"
  kill -s KILL -- -$$
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`

/** A program in a process group of its own, which ends with our process at the latest. */
export interface GuardedProcess {
  readonly pid: number
  /** Whether the program still runs; its children may outlive it until `stop`. */
  isRunning(): boolean
  /** Ends the whole group, politely first, and removes the directory. Calling it twice is harmless. */
  stop(): Promise<void>
}

/**
 * Starts `command` (program and arguments); what it says goes to `logFile`. `directory` belongs to the process
 * and is removed with it, even when our own process is killed.
 */
export async function startGuarded(
  command: readonly string[],
  directory: string,
  logFile: string,
): Promise<GuardedProcess> {
  const log = openSync(logFile, 'a', 0o666)
  const child = spawn('/bin/sh', ['-c', GUARD, 'guard', directory, ...command], {
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  })
  closeSync(log)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await once(child, 'spawn')
  const pid = child.pid
  if (pid === undefined) throw new Error('The program started without a process id.')
  // Neither the program nor the pipe keeps our process from ending.
  child.unref()
  const pipe = child.stdio[3]
  if (pipe instanceof Socket) pipe.unref()

  const endNow = () => {
    signalGroup(pid, 'SIGKILL')
    removeDirectory(directory)
  }
  process.once('exit', endNow)

  const isRunning = () => child.exitCode === null && child.signalCode === null
  const stop = async () => {
    signalGroup(pid, 'SIGTERM')
    await Promise.race([exited, sleep(STOP_WAIT_MS)])
    signalGroup(pid, 'SIGKILL')
    process.off('exit', endNow)
    removeDirectory(directory)
  }
  let stopped: Promise<void> | undefined
  return { pid, isRunning, stop: () => (stopped ??= stop()) }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended already.
  }
}

/** A process that was just killed may still have a file on its way, hence the retries. */
function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 })
}
