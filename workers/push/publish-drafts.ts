import type { Draft } from '../../domain/drafts/draft-record.ts'
import { draftSource } from '../../domain/drafts/draft-source.ts'
import { dueDrafts } from '../../domain/drafts/due.ts'
import {
  draftsFolder,
  findDraft,
  finishRemoval,
  isCopyUnplaced,
  postponePublishing,
  postponeRefused,
  startPublishing,
} from '../../domain/drafts/publish.ts'
import { copyFlags } from '../../domain/drafts/copy-flags.ts'
import { LeaseLost } from '../../domain/sync/lease.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import type { PushLane, PushPorts } from './push-ports.ts'
import { type DraftsConnection, takeCopies } from './draft-copies.ts'
import { isRefusal } from './refusal.ts'

/**
 * Publishes the account's drafts that are due. A new copy is there, and known, before the old one is removed; one whose
 * answer never came is looked for before another is made. Throws a `MailServerError` where the server cannot be asked.
 */
export async function publishDrafts(
  ctx: PushPorts,
  { lanes, lease, turn, prompt }: PushLane,
): Promise<boolean> {
  const due = await dueDrafts(ctx, lease.accountId)
  for (const draft of due)
    await lanes.use(lease.accountId, (session) =>
      publishOrPostpone(ctx, { session, lease, turn, prompt }, draft),
    )
  return due.length > 0
}

async function publishOrPostpone(
  ctx: PushPorts,
  connection: DraftsConnection,
  due: Draft,
): Promise<void> {
  const { lease } = connection
  const { id: draftId } = due
  try {
    await publish(ctx, connection, draftId)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (error instanceof MailServerError && !isRefusal(error)) throw error
    const { accountId } = lease
    ctx.logger.error('A draft could not be published.', error, { accountId, draftId })
    const reason = isRefusal(error) ? error.message : 'It could not be written as a message.'
    await postponeRefused(ctx, lease, { draft: due, reason })
  }
}

async function publish(
  ctx: PushPorts,
  connection: DraftsConnection,
  draftId: number,
): Promise<void> {
  const { session, lease, prompt } = connection
  const before = await findDraft(ctx, draftId)
  if (!before) return
  const folder = await draftsFolder(ctx, lease)
  if (!folder) return postponePublishing(ctx, lease, draftId)
  const isOnTheWay =
    before.appendingRevision !== null &&
    (await takeCopies(ctx, connection, { folder, draft: before }))
  if (isOnTheWay) return postponeUnlessFound(ctx, connection, { folder, draftId })
  if (before.removedAt !== null) return finishRemoval(ctx, lease, draftId)
  if (await isCopyUnplaced(ctx, { draftId, folderId: folder.id })) {
    prompt.now(folder.id)
    return postponePublishing(ctx, lease, draftId)
  }
  const draft = await startPublishing(ctx, lease, draftId)
  if (!draft) return
  const at = await session.append(folder.path, {
    source: await draftSource(ctx, draft),
    flags: await copyFlags(ctx, draftId),
    internalDateMs: draft.updatedAt,
  })
  await takeCopies(ctx, connection, { folder, draft, at })
  await postponeUnlessFound(ctx, connection, { folder, draftId })
}

/** Where the server does not show a copy at once, a sync finds it, or the next attempt. */
async function postponeUnlessFound(
  ctx: PushPorts,
  { lease, prompt }: DraftsConnection,
  { folder, draftId }: { readonly folder: Folder; readonly draftId: number },
): Promise<void> {
  const after = await findDraft(ctx, draftId)
  if (after && after.appendingRevision !== null) {
    await postponePublishing(ctx, lease, draftId)
    prompt.now(folder.id)
  }
  ctx.wake.now('changes')
}
