import { eq, sql } from 'drizzle-orm'
import { outbox, type RefusedRecipient } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { DomainError } from '../errors.ts'
import { cancelUnclaimed } from '../outbox/unclaimed.ts'
import { prepared } from '../prepared.ts'
import { listLiveSidecars } from '../sidecars/list-live.ts'
import { wakeOrTimeout } from '../wait.ts'

/** A message that its server has taken, if not for everyone. */
export interface SentMessage {
  readonly messageIdHeader: string
  readonly refused: readonly RefusedRecipient[]
}

const OUTCOME = {
  status: outbox.status,
  messageIdHeader: outbox.messageIdHeader,
  failure: outbox.failure,
  error: outbox.error,
  smtpCode: outbox.smtpCode,
  refused: outbox.refused,
}

type Outcome = Pick<typeof outbox.$inferSelect, keyof typeof OUTCOME>

const WAIT_MS = 60_000
const POLL_MS = 500

/**
 * Waits for what becomes of a message that is due at once, 60 s at most. Throws `upstream` when its server said no, and
 * `send_failed` when it was not sent for another reason, or nobody knows; then `outbox_id` is in the details. Without a
 * sidecar that runs, or at the limit, it is taken back, unless one has claimed it (contract section 4).
 */
export async function awaitOutcome(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  outboxId: number,
): Promise<SentMessage> {
  const endsAtMs = ctx.clock.now().getTime() + WAIT_MS
  const look = async (): Promise<SentMessage | undefined> => {
    const settled = await settledOutcome(ctx, outboxId)
    if (settled instanceof DomainError) throw settled
    if (settled) return settled
    const isLate = ctx.clock.now().getTime() >= endsAtMs
    const isStuck = isLate || (await listLiveSidecars(ctx)).length === 0
    if (isStuck && (await cancelUnclaimed(ctx, outboxId))) throw notTakenUp()
    if (isLate) throw pending(outboxId)
    return undefined
  }
  for (;;) {
    const sent = await lookAndWait(ctx, look)
    if (sent) return sent
  }
}

const outcomeOf = prepared((read) =>
  read
    .select(OUTCOME)
    .from(outbox)
    .where(eq(outbox.id, sql.placeholder('outboxId')))
    .prepare(),
)

/** What became of an entry, as `awaitOutcome` tells it; undefined while it is open. */
export async function settledOutcome(
  { store }: Needs<'store'>,
  outboxId: number,
): Promise<SentMessage | DomainError | undefined> {
  const [outcome] = await outcomeOf(store.read).all({ outboxId })
  if (!outcome) return new DomainError('send_failed', 'What became of it is not known any more.')
  const { status, messageIdHeader, refused } = outcome
  if (status === 'scheduled' || status === 'sending') return undefined
  if (status === 'sent') return { messageIdHeader, refused: refused ?? [] }
  if (status === 'cancelled') {
    return new DomainError('send_failed', 'It was cancelled before it was sent.')
  }
  return failureOf(outcome, outboxId)
}

/** What `look` finds, or undefined half a second after it found nothing; a wake that comes while it looks counts. */
async function lookAndWait<Found>(
  ctx: Needs<'clock' | 'wake'>,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const isFound = new AbortController()
  const woken = wakeOrTimeout(ctx, { topic: 'outcomes', ms: POLL_MS }, isFound.signal)
  try {
    const found = await look()
    if (found === undefined) await woken
    return found
  } finally {
    isFound.abort()
  }
}

function failureOf({ failure, error, smtpCode }: Outcome, outboxId: number): DomainError {
  const details = {
    ...(smtpCode !== null && { smtp_code: smtpCode }),
    ...(failure === 'unknown' && { outbox_id: outboxId }),
  }
  const message = error ?? 'The message was not sent.'
  return new DomainError(failure === 'refused' ? 'upstream' : 'send_failed', message, {
    ...(Object.keys(details).length > 0 && { details }),
  })
}

const notTakenUp = () =>
  new DomainError('send_failed', 'Nothing was sent: the part that sends mail does not answer.')

const pending = (outboxId: number) =>
  new DomainError(
    'send_failed',
    'Outcome pending: it is being sent, and its entry will say more.',
    {
      details: { outbox_id: outboxId },
    },
  )
