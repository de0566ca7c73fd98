import { events } from '../../db/schema/events.ts'
import type { Runtime } from '../../runtime/ports/runtime.ts'

interface Telling {
  readonly kind?: typeof events.$inferInsert.kind
  readonly wakes?: boolean
}

/** Tells so many events, as a sync would; `data.error` numbers them from 1. */
export async function tellEvents(
  { store, wake }: Pick<Runtime, 'store' | 'wake'>,
  count: number,
  { kind = 'sync.error', wakes = true }: Telling = {},
): Promise<void> {
  for (let told = 0; told < count; told += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - told) }, (_, index) => ({
      kind,
      accountId: 1,
      data: { account: 'Ada', error: String(told + index + 1) },
      createdAt: Date.UTC(2026, 10, 22),
    }))
    await store.transaction((tx) => tx.insert(events).values(rows))
    if (wakes) wake.now('events')
  }
}
