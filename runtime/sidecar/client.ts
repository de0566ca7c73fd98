import type { WakeTopic } from '../ports/wake.ts'
import {
  ErrorBody,
  PROCESS_HEADER,
  PROTOCOL_HEADER,
  PROTOCOL_VERSION,
  STREAM_BEAT_MS,
  StreamLine,
} from './protocol.ts'

const WAKE_TIMEOUT_MS = 1_000
const SOURCE_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000

/** The sidecar answered no, or did not answer; the message says what to do where somebody can do something. */
export class SidecarError extends Error {
  override readonly name = 'SidecarError'
}

/** The other processes' half of the protocol. Every method throws `SidecarError`. */
export interface SidecarClient {
  wake(topics: readonly WakeTopic[]): Promise<void>
  /** Whether the sidecar has it; it first fetches what it lacks from its server, and keeps it. */
  hasSource(hash: string): Promise<boolean>
  /** Undefined when the sidecar does not have it either. */
  source(hash: string): Promise<Uint8Array | undefined>
  /** Calls `onWake` at each wake until `signal` aborts; throws when the connection is refused or lost. */
  listen(onWake: (topic: WakeTopic) => void, signal: AbortSignal): Promise<void>
}

/** Speaks to the sidecar at `url`; `process` names the caller among all that do. */
export function sidecarClient(options: {
  readonly url: string
  readonly secret: string
  readonly process: string
}): SidecarClient {
  const request = async (path: string, init: RequestInit) => {
    const headers = {
      Authorization: `Bearer ${options.secret}`,
      [PROTOCOL_HEADER]: PROTOCOL_VERSION,
      [PROCESS_HEADER]: options.process,
    }
    const url = new URL(path, options.url)
    const response = await fetch(url, { ...init, headers }).catch((cause: unknown) => {
      throw new SidecarError(`The sidecar at ${options.url} does not answer.`, { cause })
    })
    if (!response.ok && response.status !== 404) throw new SidecarError(await reason(response))
    return response
  }

  return {
    async wake(topics) {
      const response = await request(`/wakes?topics=${topics.join(',')}`, {
        method: 'POST',
        signal: AbortSignal.timeout(WAKE_TIMEOUT_MS),
      })
      await response.body?.cancel()
    },
    async hasSource(hash) {
      const signal = AbortSignal.timeout(SOURCE_TIMEOUT_MS)
      return (await request(`/sources/${hash}`, { method: 'HEAD', signal })).ok
    },
    async source(hash) {
      const signal = AbortSignal.timeout(SOURCE_TIMEOUT_MS)
      const response = await request(`/sources/${hash}`, { signal })
      if (response.ok) return new Uint8Array(await response.arrayBuffer())
      await response.body?.cancel()
      return undefined
    },
    async listen(onWake, signal) {
      const silence = new AbortController()
      const ended = AbortSignal.any([signal, silence.signal])
      let timer = setTimeout(() => silence.abort(), CONNECT_TIMEOUT_MS)
      try {
        const response = await request('/wakes', { signal: ended })
        for await (const line of lines(response)) {
          clearTimeout(timer)
          timer = setTimeout(() => silence.abort(), 2 * STREAM_BEAT_MS)
          const { topic } = StreamLine.parse(JSON.parse(line))
          if (topic) onWake(topic)
        }
      } catch (cause) {
        if (!signal.aborted) throw asSidecarError(cause, options.url)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

async function* lines(response: Response): AsyncGenerator<string> {
  if (!response.body) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}

async function reason(response: Response): Promise<string> {
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined))
  return body.success ? body.data.error.message : `The sidecar answered ${response.status}.`
}

const asSidecarError = (cause: unknown, url: string) =>
  cause instanceof SidecarError
    ? cause
    : new SidecarError(`The connection to the sidecar at ${url} was lost.`, { cause })
