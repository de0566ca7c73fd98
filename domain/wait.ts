import type { Needs } from '../runtime/ports/runtime.ts'
import type { WakeTopic } from '../runtime/ports/wake.ts'

/** Nobody looks at it; without one each end would make an error, and the stack that led there. */
const OVER = 'over'

/** Does `work` with a signal that aborts after `ms`, or with `signal`; the timer ends with the work. */
export async function withDeadline(
  { clock }: Needs<'clock'>,
  { ms, signal }: { ms: number; signal: AbortSignal },
  work: (deadline: AbortSignal) => Promise<void>,
): Promise<void> {
  const ended = new AbortController()
  const end = () => ended.abort(OVER)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  void clock.sleep(ms, ended.signal).then(end)
  try {
    await work(ended.signal)
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Waits until `topic` is woken, `ms` have passed or `signal` aborts. */
export async function wakeOrTimeout(
  ctx: Needs<'clock' | 'wake'>,
  { topic, ms }: { topic: WakeTopic; ms: number },
  signal: AbortSignal,
): Promise<void> {
  await withDeadline(ctx, { ms, signal }, (deadline) => ctx.wake.wait(topic, deadline))
}
