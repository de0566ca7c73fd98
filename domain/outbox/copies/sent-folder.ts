import { and, eq } from 'drizzle-orm'
import { folders } from '../../../db/schema/folders.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { folderOfRole } from '../../folders/folder-of-role.ts'
import { isCreationPending } from '../../mailbox-changes/settle.ts'
import type { Folder } from '../../sync/folder.ts'
import { findFolder } from '../../sync/folder-state.ts'
import { durablyUnderLease, type Lease } from '../../sync/lease.ts'

/** The account's Sent folder; where it has none, one is made here and queued for its server. Undefined until it is there. */
export async function findSentFolder(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
): Promise<Folder | undefined> {
  const { accountId } = lease
  const [known] = await ctx.store.read
    .select()
    .from(folders)
    .where(
      and(
        eq(folders.accountId, accountId),
        eq(folders.specialUse, 'sent'),
        eq(folders.selectable, true),
      ),
    )
  if (known) return (await isCreationPending(ctx, known.id)) ? undefined : findFolder(ctx, known.id)
  const nowMs = ctx.clock.now().getTime()
  await durablyUnderLease(ctx, lease, (tx) => folderOfRole(tx, { accountId, role: 'sent', nowMs }))
  ctx.wake.now('mailbox_changes')
  return undefined
}
