import type { Tx } from '../db/client.ts'
import { events } from '../db/schema/events.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { MailEvent } from './events/mail-event.ts'
import { renderEvents } from './events/render.ts'
import { queueDeliveries } from './webhooks/queue-deliveries.ts'

/** A transaction whose events are told with it. */
export interface Unit {
  readonly tx: Tx
  /** Tells these, as the messages stand now: after a change, and before a row goes. */
  readonly emit: (emitted: readonly MailEvent[]) => Promise<void>
}

/**
 * The one door through which mail changes: what `work` emits is stored in the transaction that makes it true, with a
 * delivery for every endpoint that wants to hear of it, so an event is told exactly when its change is. Durable when it
 * resolves, unless the change `canBeRepeated` from the server after a power cut.
 */
export async function unitOfWork<T>(
  { store, clock, wake }: Needs<'store' | 'clock' | 'wake'>,
  work: (unit: Unit) => Promise<T>,
  { canBeRepeated = false } = {},
): Promise<T> {
  let isAnyTold = false
  let isAnyQueued = false
  const inUnit = (tx: Tx) => {
    const emit = async (emitted: readonly MailEvent[]) => {
      const createdAt = clock.now().getTime()
      const rows = (await renderEvents(tx, emitted)).map((row) => ({ ...row, createdAt }))
      if (rows.length === 0) return
      await tx.insert(events).values(rows)
      isAnyTold = true
      if (await queueDeliveries(tx, rows)) isAnyQueued = true
    }
    return work({ tx, emit })
  }
  const result = await (canBeRepeated
    ? store.transaction(inUnit)
    : store.durableTransaction(inUnit))
  if (isAnyTold) wake.now('events')
  if (isAnyQueued) wake.now('webhooks')
  return result
}
