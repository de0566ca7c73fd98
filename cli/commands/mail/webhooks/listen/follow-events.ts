import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '../../../../api-client.ts'
import { note, oneLine } from '../../../../output.ts'
import { connect, type Connection, ConnectionLost, UnknownPosition } from './connect.ts'
import type { EventLine } from './listener-line.ts'
import type { Timing } from './timing.ts'

interface Following {
  readonly events?: string | undefined
  /** Said once the stream is open. */
  readonly ready: string
  readonly timing: Timing
  readonly signal: AbortSignal
}

/**
 * Events one after another, over as many connections as it takes, until `signal` aborts: each goes on where the last
 * one ended. Whatever is lost, a connection or an event, is said. Throws `CommandFailed` when it may not go on.
 */
export async function* followEvents(
  client: ApiClient,
  { events, ready, timing, signal }: Following,
): AsyncGenerator<EventLine> {
  const progress: Progress = { since: undefined, isReady: false }
  while (!signal.aborted) {
    try {
      const { since } = progress
      const connection = await connect(client, { events, since, timing, signal })
      yield* eventsOf(connection, progress, ready)
    } catch (error) {
      if (signal.aborted) return
      await recover(error, progress, { timing, signal })
    }
  }
}

/** How far the listener has come. */
interface Progress {
  /** The last event that was seen, or the one that the first stream began after. */
  since: number | undefined
  isReady: boolean
}

async function* eventsOf(
  { since, lines }: Connection,
  progress: Progress,
  ready: string,
): AsyncGenerator<EventLine> {
  progress.since = since
  let dropped = 0
  let isOpen = false
  for await (const line of lines) {
    if (!isOpen) note(progress.isReady ? `Connected again; going on after event ${since}.` : ready)
    isOpen = true
    progress.isReady = true
    if (line.dropped !== undefined) noteLoss(line.dropped - dropped)
    dropped = line.dropped ?? dropped
    if (line.type !== 'event') continue
    progress.since = line.id
    yield line
  }
}

/** Says what is wrong and waits, so that the next attempt may go better. Throws what it cannot hope for. */
async function recover(
  thrown: unknown,
  progress: Progress,
  { timing, signal }: Pick<Following, 'timing' | 'signal'>,
): Promise<void> {
  if (thrown instanceof UnknownPosition) {
    note(`Those after event ${progress.since} cannot be had, some may be lost; going on from now.`)
    progress.since = undefined
    return
  }
  if (!(thrown instanceof ConnectionLost)) throw thrown
  const ms = Math.max(timing.reconnectMs, thrown.retryAfterMs)
  note(`No connection: ${oneLine(thrown.message)} Trying again in ${ms / 1_000} s.`)
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

const noteLoss = (count: number) =>
  note(
    `${count} ${count === 1 ? 'event was' : 'events were'} lost: this listener was too slow or away for too long.`,
  )
