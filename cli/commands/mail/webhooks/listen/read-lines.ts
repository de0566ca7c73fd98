import { UnreadableLine } from './listener-line.ts'

/** Far above any event; without an end of line nothing may grow for ever. */
const LINE_MAX = 16 * 1024 * 1024

/**
 * The lines of a stream, read only as they are asked for. Calls `onSilence` when a piece of it keeps us waiting for
 * `silenceMs`; time in which nobody asks does not count.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { silenceMs, onSilence }: { readonly silenceMs: number; readonly onSilence: () => void },
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const timer = setTimeout(onSilence, silenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > LINE_MAX) throw new UnreadableLine('The service sent a line without an end.')
    yield* parts.filter((part) => part !== '')
  }
}
