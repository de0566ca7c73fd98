import type { Needs } from '../runtime/ports/runtime.ts'
import type { WakeTopic } from '../runtime/ports/wake.ts'

/** Aborts after `ms`, or with `signal`, or when its owner says so; dispose of it to stop the timer. */
export function deadline(
  { clock }: Needs<'clock'>,
  ms: number,
  signal: AbortSignal,
): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const ended = new AbortController()
  const end = () => ended.abort()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  void clock.sleep(ms, ended.signal).then(end)
  return {
    signal: ended.signal,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', end)
      end()
    },
  }
}

/** Waits until `topic` is woken, `ms` have passed or `signal` aborts. */
export async function wakeOrTimeout(
  ctx: Needs<'clock' | 'wake'>,
  { topic, ms }: { topic: WakeTopic; ms: number },
  signal: AbortSignal,
): Promise<void> {
  using until = deadline(ctx, ms, signal)
  await ctx.wake.wait(topic, until.signal)
}
