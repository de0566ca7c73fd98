import { DomainError } from '../../domain/errors.ts'
import type { Heard } from '../../domain/events/listen.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { eventBytes, lineBytes } from './listener-line.schema.ts'

const PING_EVERY_MS = 30_000

interface Listener {
  /** Yields until `signal` aborts. */
  readonly hear: (signal: AbortSignal) => AsyncGenerator<Heard>
  /** Throws when it may no longer listen; asked before every ping. */
  readonly recheck: () => Promise<void>
}

/**
 * What a listener is told, as lines: a ping at once and every 30 s, and events as fast as they are read. A line is made
 * only when the one before it is on its way, so a reader that stalls costs one line, whatever happens meanwhile.
 */
export function listenerStream(
  { clock, logger, stopping }: Needs<'clock' | 'logger' | 'stopping'>,
  { hear, recheck }: Listener,
): ReadableStream<Uint8Array> {
  const ended = new AbortController()
  const heard = hear(ended.signal)
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
    for (;;) {
      const { done, value } = await heard.next()
      if (ended.signal.aborted) return
      if (done) return end()
      if (value.kind === 'event') {
        controller.enqueue(eventBytes(value.event, losses.take().dropped))
        return
      }
      losses.add(value.count)
    }
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
