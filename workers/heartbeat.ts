import { registerSidecar } from '../domain/sidecars/register.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

const EVERY_MS = 5_000

/** Keeps the sidecar registered until `signal` aborts; the caller unregisters it once its work has ended. */
export async function keepRegistered(
  ctx: Needs<'store' | 'clock' | 'logger'>,
  sidecar: { readonly id: string; readonly url: string },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await registerSidecar(ctx, sidecar)
    } catch (error) {
      ctx.logger.error('The sidecar could not be registered.', error)
    }
    await ctx.clock.sleep(EVERY_MS, signal)
  }
}
