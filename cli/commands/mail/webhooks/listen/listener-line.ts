/** An event as the stream tells it. */
export interface EventLine {
  readonly type: 'event'
  readonly event: string
  readonly id: number
  readonly payload: {
    readonly id: string
    readonly created_at: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

export type ListenerLine = (
  | EventLine
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  /** A ping, or what a newer service may tell. */
  | { readonly type: 'other' }
) & { readonly dropped?: number }

/** The stream is not one of svc, or was cut in the middle of a line. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine'
}

/** Reads one line. Throws `UnreadableLine`. */
export function parseLine(text: string): ListenerLine {
  const line = objectIn(text)
  if (line['type'] === 'event') {
    const { id, event, payload } = line
    const isWhole =
      typeof id === 'number' && typeof event === 'string' && isObject(payload) && 'id' in payload
    if (!isWhole) throw new UnreadableLine('The service sent an event that is not whole.')
    return line as unknown as ListenerLine
  }
  if (line['type'] === 'error') {
    const { code, message } = line
    return { ...line, type: 'error', code: String(code), message: String(message) }
  }
  return { ...line, type: 'other' }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw new UnreadableLine('The service sent a line that cannot be read.')
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
