import type { OutboundReply } from '../../runtime/ports/outbound.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { SERVICE_NAME } from '../identity.ts'
import type { Attempt } from './begin-attempts.ts'
import { type Outcome, outcomeOf } from './retry-ladder.ts'
import { signatureHeader } from './signature.ts'

/** Spec section 6, Transport. */
const LIMITS = { deadlineMs: 10_000, replyBytesMax: 2_048, redirectsMax: 2 }

/** An attempt that ended, and where its delivery goes from there. */
export interface EndedAttempt {
  readonly attempt: Attempt
  readonly outcome: Outcome
  readonly endedAt: number
  readonly durationMs: number
  readonly statusCode: number | null
  /** For people; null where there was a reply. */
  readonly error: string | null
  /** The reply as text, as far as it is kept. */
  readonly responseBody: string | null
  /** The fault where it is ours, for the log. */
  readonly cause?: unknown
}

/**
 * Makes one attempt to deliver. Never throws: whatever goes wrong is a failed attempt with its reason. Undefined where
 * `signal` called it off, which counts as none.
 */
export async function attemptDelivery(
  ctx: Needs<'clock' | 'outbound'>,
  { attempt, secret }: { readonly attempt: Attempt; readonly secret: () => Promise<string> },
  signal: AbortSignal,
): Promise<EndedAttempt | undefined> {
  const begunAt = ctx.clock.now()
  const reply = await sent(ctx, attempt, { secret, begunAt, signal })
  if (signal.aborted && reply.status === null) return undefined
  const endedAt = ctx.clock.now().getTime()
  const { status: statusCode } = reply
  return {
    attempt,
    outcome: outcomeOf({ attemptsBefore: attempt.attempts, statusCode, endedAt }),
    endedAt,
    durationMs: Math.max(0, endedAt - begunAt.getTime()),
    statusCode,
    error: reply.status === null ? reply.reason : null,
    responseBody: reply.status === null ? null : textOf(reply.body),
    ...('cause' in reply && { cause: reply.cause }),
  }
}

type Reply =
  | OutboundReply
  | { readonly status: null; readonly reason: string; readonly cause: unknown }

async function sent(
  { outbound }: Needs<'outbound'>,
  { url, event, deliveryId, body }: Attempt,
  {
    secret,
    begunAt,
    signal,
  }: { secret: () => Promise<string>; begunAt: Date; signal: AbortSignal },
): Promise<Reply> {
  try {
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `${SERVICE_NAME}-webhooks/1`,
      'X-Svc-Event': event,
      'X-Svc-Delivery-Id': deliveryId,
      'X-Svc-Signature': signatureHeader(await secret(), body, begunAt),
    }
    return await outbound.send({ method: 'POST', url, headers, body, limits: LIMITS }, signal)
  } catch (cause) {
    return { status: null, reason: 'the request could not be made', cause }
  }
}

/** Whatever is no UTF-8 is replaced, and so is NUL, at which some readers end a text; a cut character is left out. */
const textOf = (body: Uint8Array): string =>
  new TextDecoder().decode(body, { stream: true }).replaceAll('\u0000', '\uFFFD')
