import { and, eq, exists, lte, or } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { accountLeases } from '../../db/schema/sidecars.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isCopyDue } from '../outbox/copies/due.ts'
import { heldLeases } from './held-leases.ts'
import type { Lease } from './lease.ts'

/**
 * The leases of the sidecar's accounts whose mail servers have something to learn now: changes to be made there, drafts
 * to be published, copies of what was sent to be filed.
 */
export async function dueAccounts(
  { store, clock }: Needs<'store' | 'clock'>,
  sidecarId: string,
): Promise<readonly Lease[]> {
  const nowMs = clock.now().getTime()
  const dueChange = store.read
    .select({ id: mailboxChanges.id })
    .from(mailboxChanges)
    .where(
      and(
        eq(mailboxChanges.accountId, accountLeases.accountId),
        lte(mailboxChanges.nextAttemptAt, nowMs),
      ),
    )
  const dueDraft = store.read
    .select({ id: drafts.id })
    .from(drafts)
    .where(and(eq(drafts.accountId, accountLeases.accountId), lte(drafts.publishDueAt, nowMs)))
  const dueCopy = store.read
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.accountId, accountLeases.accountId), isCopyDue(nowMs)))
  return heldLeases({ store }, sidecarId, or(exists(dueChange), exists(dueDraft), exists(dueCopy)))
}
