import { type ApiClient, answered, exitCodeOf, reasonOf } from '../../../../api-client.ts'
import { CommandFailed, EXIT } from '../../../../exit.ts'
import { type ListenerLine, parseLine, UnreadableLine } from './listener-line.ts'
import { readLines } from './read-lines.ts'
import type { Timing } from './timing.ts'

/** The connection is gone, or never was, for a reason that may pass; the message is a sentence. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** What the service asked to wait. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** The service knows no such event to go on after. */
export class UnknownPosition extends Error {
  override readonly name = 'UnknownPosition'
}

interface Connecting {
  readonly events?: string | undefined
  /** The event to go on after; from now on where it is absent. */
  readonly since?: number | undefined
  readonly timing: Timing
  readonly signal: AbortSignal
}

/** An open stream, and the event it begins after. */
export interface Connection {
  readonly since: number | undefined
  readonly lines: AsyncGenerator<ListenerLine>
}

/**
 * Opens the stream. It and its lines throw `ConnectionLost` for what may pass, `UnknownPosition`, and `CommandFailed`
 * for what ends the listener: a rejected token, a missing scope, a lapsed licence, a request that is wrong.
 */
export async function connect(
  client: ApiClient,
  { events, since, timing, signal }: Connecting,
): Promise<Connection> {
  const cut = new AbortController()
  const ended = AbortSignal.any([signal, cut.signal])
  const query = {
    ...(events !== undefined && { events }),
    ...(since !== undefined && { since: String(since) }),
  }
  const late = setTimeout(() => cut.abort(silence(timing.connectMs)), timing.connectMs)
  const response = await client.webhooks.listen
    .$get({ query }, { init: { signal: ended } })
    .catch((error: unknown) => {
      throw lostBy(error, ended)
    })
    .finally(() => clearTimeout(late))
  await requireStream(response, since)
  const { body } = response
  if (!body) throw new ConnectionLost('The service sent nothing.')
  const pieces = readLines(body, {
    silenceMs: timing.silenceMs,
    onSilence: () => cut.abort(silence(timing.silenceMs)),
  })
  const position = response.headers.get('X-Svc-Since')
  return {
    since: position === null ? since : Number(position),
    lines: linesOf(pieces, { ended, close: () => cut.abort() }),
  }
}

type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'text'>

async function requireStream(response: Answer, since: number | undefined): Promise<void> {
  const { status, headers } = response
  const mayPass = status >= 500 || status === 408 || status === 429
  const retryAfterMs = 1_000 * (Number(headers.get('Retry-After')) || 0)
  try {
    await answered(Promise.resolve(response))
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    if (status === 400 && since !== undefined) throw new UnknownPosition(error.message)
    throw mayPass ? new ConnectionLost(error.message, retryAfterMs) : error
  }
}

async function* linesOf(
  pieces: AsyncGenerator<string>,
  { ended, close }: { readonly ended: AbortSignal; readonly close: () => void },
): AsyncGenerator<ListenerLine> {
  try {
    for await (const piece of pieces) {
      const line = parseLine(piece)
      yield line
      if (line.type === 'error') throw endedBy(line)
    }
  } catch (error) {
    throw lostBy(error, ended)
  } finally {
    close()
  }
  throw new ConnectionLost('The service closed it.')
}

function endedBy({ code, message }: { readonly code: string; readonly message: string }): Error {
  const exitCode = exitCodeOf(code)
  const isFinal = exitCode === EXIT.refused || exitCode === EXIT.licence
  return isFinal ? new CommandFailed(message, exitCode) : new ConnectionLost(message)
}

function lostBy(error: unknown, ended: AbortSignal): Error {
  if (error instanceof CommandFailed || error instanceof ConnectionLost) return error
  if (error instanceof UnreadableLine) return new ConnectionLost(error.message)
  const { reason } = ended as { readonly reason: unknown }
  return reason instanceof ConnectionLost ? reason : new ConnectionLost(reasonOf(error))
}

const silence = (ms: number) => new ConnectionLost(`Nothing was heard for ${ms / 1_000} s.`)
