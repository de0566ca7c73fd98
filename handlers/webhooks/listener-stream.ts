import { DomainError } from '../../domain/errors.ts'
import type { ToldEvent } from '../../domain/events/feed.ts'
import type { Heard } from '../../domain/events/listen.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { timeSlices } from '../kit/time-slices.ts'
import { eventBytes, lineBytes } from './listener-line.schema.ts'

const PING_EVERY_MS = 30_000
/** To write a line costs more than to make it, so those at hand go out together. */
const LINES_AT_ONCE = 16
/** All listeners of this process share it; 32 of them tell such lines in some milliseconds. */
const timeSlice = timeSlices(32)

interface Listener {
  /** Yields until `signal` aborts. */
  readonly hear: (signal: AbortSignal) => AsyncGenerator<Heard>
  /** Throws when it may no longer listen; asked before every ping. */
  readonly recheck: () => Promise<void>
}

/**
 * What a listener is told, as lines: a ping at once and every 30 s, and events as fast as they are read. Lines are made
 * only when those before are on their way, so a reader that stalls costs a few, whatever happens meanwhile.
 */
export function listenerStream(
  { clock, logger, stopping }: Needs<'clock' | 'logger' | 'stopping'>,
  { hear, recheck }: Listener,
): ReadableStream<Uint8Array> {
  const ended = new AbortController()
  const heard = hear(ended.signal)
  let untold: readonly ToldEvent[] = []
  const losses = untoldLosses()
  let end = () => ended.abort()

  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (ended.signal.aborted) return
    const { code, message } = wordsOf(error)
    if (code === 'internal') logger.error('a listener was cut off', error)
    controller.enqueue(lineBytes({ type: 'error', code, message, ...losses.take() }))
    end()
  }
  const keepAlive = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    for (;;) {
      await clock.sleep(PING_EVERY_MS, ended.signal)
      if (ended.signal.aborted) return
      await recheck()
      const isReaderReady = !ended.signal.aborted && (controller.desiredSize ?? 0) > 0
      if (isReaderReady) controller.enqueue(lineBytes({ type: 'ping', ...losses.take() }))
    }
  }
  const tellNext = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    while (untold.length === 0) {
      const { done, value } = await heard.next()
      if (ended.signal.aborted) return
      if (done) return end()
      if (value.kind === 'events') untold = value.events
      else losses.add(value.count)
    }
    // Whoever is far behind may read as fast as all this is written.
    await timeSlice()
    if (ended.signal.aborted) return
    controller.enqueue(eventBytes(untold.slice(0, LINES_AT_ONCE), losses.take().dropped))
    untold = untold.slice(LINES_AT_ONCE)
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      end = () => {
        stopping.removeEventListener('abort', end)
        if (!ended.signal.aborted) controller.close()
        ended.abort()
      }
      stopping.addEventListener('abort', end)
      controller.enqueue(lineBytes({ type: 'ping' }))
      if (stopping.aborted) end()
      keepAlive(controller).catch((error: unknown) => fail(controller, error))
    },
    pull: (controller) => tellNext(controller).catch((error: unknown) => fail(controller, error)),
    cancel() {
      stopping.removeEventListener('abort', end)
      ended.abort()
    },
  })
}

/** What was lost and not told yet. */
function untoldLosses() {
  let total = 0
  let isTold = true
  return {
    add(count: number) {
      total += count
      isTold = false
    },
    /** The running count, for the first line after a loss. */
    take(): { readonly dropped?: number } {
      if (isTold) return {}
      isTold = true
      return { dropped: total }
    },
  }
}

const wordsOf = (error: unknown): Pick<DomainError, 'code' | 'message'> =>
  error instanceof DomainError
    ? error
    : { code: 'internal', message: 'Something went wrong here. The log says what.' }
