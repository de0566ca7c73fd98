import { signatureHeader } from '../../../../../domain/webhooks/signature.ts'
import { reasonOf } from '../../../../api-client.ts'
import type { EventLine } from './listener-line.ts'
import type { Timing } from './timing.ts'

/** What became of an event that was forwarded: an HTTP status, or why there is none. */
export interface Forwarded {
  readonly status?: number
  readonly error?: string
  readonly duration_ms: number
}

interface Receiver {
  readonly url: string
  readonly secret: string
}

/** POSTs an event as a webhook would (spec section 6), once. Never throws. */
export async function forward(
  { event, payload }: EventLine,
  { url, secret }: Receiver,
  { timing, signal }: { readonly timing: Timing; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const body = new TextEncoder().encode(JSON.stringify(payload))
  const startedMs = performance.now()
  const duration = () => ({ duration_ms: Math.round(performance.now() - startedMs) })
  const deadline = AbortSignal.timeout(timing.forwardMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline]),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'svc-webhooks/1',
        'X-Svc-Event': event,
        'X-Svc-Delivery-Id': payload.id,
        'X-Svc-Signature': signatureHeader(secret, body, new Date()),
      },
    })
    void response.body?.cancel().catch(() => undefined)
    return { status: response.status, ...duration() }
  } catch (error) {
    const isLate = deadline.aborted
    const reason = isLate ? `No reply within ${timing.forwardMs / 1_000} s.` : reasonOf(error)
    return { error: reason, ...duration() }
  }
}
