import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../ports/logger.ts'
import { STOP_MESSAGE } from './stop-signal.ts'

const RESTART_AFTER_MS = 250
const RESTART_AFTER_MS_MAX = 30_000
/** A child that lived this long was well: the next restart is a quick one again. */
const RAN_WELL_MS = 60_000
const STOPS_WITHIN_MS = 8_000
/** A third of the memory at no cost in speed: most of what a sync allocates is dead at once. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=8'

/** glibc keeps what its threads have freed, a third of the child's memory after a first sync, unless it is told not to. */
const FRUGAL_ALLOCATION = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
}

/**
 * Each name that is looked up keeps a thread of libuv's for as long as its name servers are silent, and files and
 * secrets wait behind it: there are more than webhooks can keep at once.
 */
const ROOM_FOR_LOOKUPS = { UV_THREADPOOL_SIZE: '48' }

/** A child process that is started again whenever it ends. */
export interface SupervisedChild {
  /** Asks the child to end, kills it after eight seconds, and resolves when it is gone. */
  stop(): Promise<void>
}

interface ChildProgram {
  readonly modulePath: string
  readonly args: readonly string[]
  readonly logger: Logger
  /** Called when a child has ended, with the last message it sent. */
  readonly onEnd: (lastMessage: unknown) => Promise<void>
}

/** Runs the program and keeps it running. Its log goes where ours goes; it sees when we are gone. */
export function superviseChild(program: ChildProgram): SupervisedChild {
  const stopping = new AbortController()
  const { signal } = stopping
  let child: ChildProcess | undefined

  const keepRunning = async () => {
    let failures = 0
    while (!signal.aborted) {
      const startedAtMs = performance.now()
      child = fork(program.modulePath, [...program.args], {
        stdio: ['ignore', 2, 2, 'ipc'],
        execArgv: [...process.execArgv, SMALL_YOUNG_GENERATION],
        env: { ...FRUGAL_ALLOCATION, ...ROOM_FOR_LOOKUPS, ...process.env },
      })
      const end = await ended(child)
      await program.onEnd(end.lastMessage).catch((error: unknown) => {
        program.logger.error('Clearing up after the child failed.', error)
      })
      if (signal.aborted) return
      failures = performance.now() - startedAtMs > RAN_WELL_MS ? 1 : failures + 1
      const waitMs = restartDelayMs(failures)
      program.logger.warn('The child ended and is started again.', { reason: end.reason, waitMs })
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = keepRunning()

  return {
    async stop() {
      stopping.abort()
      if (child?.connected) child.send(STOP_MESSAGE, () => undefined)
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOPS_WITHIN_MS)
      await running
      clearTimeout(timer)
    },
  }
}

/** Doubles with each failure and is spread by up to a half, so that many do not come back at once. */
const restartDelayMs = (failures: number) =>
  Math.round(
    Math.min(RESTART_AFTER_MS * 2 ** (failures - 1), RESTART_AFTER_MS_MAX) *
      (1 - Math.random() / 2),
  )

async function ended(child: ChildProcess): Promise<{ lastMessage: unknown; reason: string }> {
  let lastMessage: unknown
  child.on('message', (message) => {
    lastMessage = message
  })
  try {
    const [code, signal] = await once(child, 'exit')
    return { lastMessage, reason: String(signal ?? `exit code ${code}`) }
  } catch (error) {
    return { lastMessage, reason: String(error) }
  }
}
