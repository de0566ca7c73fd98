import { and, eq } from 'drizzle-orm'
import { outbox } from '../../db/schema/outbox.ts'
import { accountLeases, sidecars } from '../../db/schema/sidecars.ts'
import { webhookLanes } from '../../db/schema/webhooks.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isOpen } from '../outbox/open.ts'

/**
 * Forgets a sidecar that ended and frees its accounts, its lanes of webhooks and what it was sending, so that another
 * takes them up at once.
 */
export async function unregisterSidecar({ store }: Needs<'store'>, id: string): Promise<void> {
  await store.commit((write) => [
    write.delete(sidecars).where(eq(sidecars.id, id)),
    // The rows stay: an epoch must never repeat.
    write.update(accountLeases).set({ expiresAt: 0 }).where(eq(accountLeases.sidecarId, id)),
    write.update(webhookLanes).set({ expiresAt: 0 }).where(eq(webhookLanes.sidecarId, id)),
    write
      .update(outbox)
      .set({ claimedUntil: 0 })
      .where(and(isOpen, eq(outbox.claimedBy, id))),
  ])
}
