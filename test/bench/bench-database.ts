import { and, count, desc, eq, gt, max } from 'drizzle-orm'

import { events } from '../../db/schema/events.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { until } from './processes.ts'

const WITHIN_MS = 60_000

/** The database of a service that runs, as the bench looks into it: it writes nothing. */
export interface BenchDatabase {
  readonly store: Store
  /** The id of the newest event; 0 where there is none. */
  newestEvent(): Promise<number>
  /** When there was an event, after that one, of a change that somebody else made; by `performance.now()`. */
  externalChangeAfter(eventId: number): Promise<number>
  /** Waits until the mail servers know all that was changed. */
  untilPushed(): Promise<unknown>
}

/** Closed with the stack. */
export function openBenchDatabase(stack: AsyncDisposableStack, databaseUrl: string): BenchDatabase {
  const store = stack.adopt(openFileStore(databaseUrl), (opened) => opened.close())
  const { read } = store
  return {
    store,
    newestEvent: async () => {
      const [newest] = await read.select({ id: max(events.id) }).from(events)
      return newest?.id ?? 0
    },
    externalChangeAfter: (eventId) =>
      until('the event of another client', WITHIN_MS, async () => {
        const [newest] = await read
          .select({ data: events.data })
          .from(events)
          .where(and(gt(events.id, eventId), eq(events.kind, 'message.updated')))
          .orderBy(desc(events.id))
          .limit(1)
        return newest?.data['origin'] === 'external' ? performance.now() : undefined
      }),
    untilPushed: () =>
      until('all changes on the mail server', WITHIN_MS, async () => {
        const [waiting] = await read.select({ changes: count() }).from(mailboxChanges)
        return waiting?.changes === 0 || undefined
      }),
  }
}
