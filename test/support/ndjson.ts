/** A line of the listener's stream, as the tests look at it. */
export interface Line {
  readonly type: string
  readonly event?: string
  readonly id?: number
  readonly payload?: { readonly id: string; readonly data: Readonly<Record<string, unknown>> }
  readonly dropped?: number
  readonly code?: string
  readonly message?: string
}

/** Reads a stream line by line. */
export function lineReader(body: ReadableStream<Uint8Array> | null) {
  if (!body) throw new Error('There is no body.')
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  const lines: Line[] = []
  /** The next line; undefined at the end. */
  const next = async (): Promise<Line | undefined> => {
    while (lines.length === 0) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((part) => JSON.parse(part) as Line))
    }
    return lines.shift()
  }
  return {
    next,
    /** So many lines about events. */
    async events(count: number): Promise<readonly Line[]> {
      const found: Line[] = []
      while (found.length < count) {
        const line = await next()
        if (!line) throw new Error(`The stream ended after ${found.length} events.`)
        if (line.type === 'event') found.push(line)
      }
      return found
    },
    cancel: () => reader.cancel(),
  }
}
