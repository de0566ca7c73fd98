import { onTestFinished } from 'vitest'
import type { Outbound } from '../../runtime/ports/outbound.ts'
import type { Runtime } from '../../runtime/ports/runtime.ts'
import { drainWebhooks } from '../../workers/webhook-drain.ts'

/** A sidecar that delivers until the test ends, or until it is stopped. */
export function startDrain(
  runtime: Runtime,
  outbound: Outbound,
  { sidecarId = 'here', ...given }: Partial<Runtime> & { readonly sidecarId?: string } = {},
) {
  const stopping = new AbortController()
  const ended = drainWebhooks({ ...runtime, outbound, ...given }, { sidecarId }, stopping.signal)
  const stop = async () => {
    stopping.abort()
    await ended
  }
  onTestFinished(stop)
  return { stop }
}
