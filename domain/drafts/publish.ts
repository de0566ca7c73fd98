import { and, eq, isNull, sql } from 'drizzle-orm'
import { drafts } from '../../db/schema/drafts.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { folderOfRole } from '../folders/folder-of-role.ts'
import { leaveNotice } from '../notices/leave.ts'
import { isCreationPending } from '../mailbox-changes/settle.ts'
import type { Folder } from '../sync/folder.ts'
import { findFolder } from '../sync/folder-state.ts'
import { durablyUnderLease, type Lease, underLease, unitUnderLease } from '../sync/lease.ts'
import type { Draft } from './draft-record.ts'
import { dropDraft } from './drop.ts'
import { retryTime } from './due.ts'

/** The account's Drafts folder, which is made where there is none; undefined until the server has it. */
export async function draftsFolder(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
): Promise<Folder | undefined> {
  const nowMs = ctx.clock.now().getTime()
  const { accountId } = lease
  const folderId = await underLease(ctx, lease, (tx) =>
    folderOfRole(tx, { accountId, role: 'drafts', nowMs }),
  )
  return (await isCreationPending(ctx, folderId)) ? undefined : findFolder(ctx, folderId)
}

/** A draft as the store has it now; undefined where there is none any more. */
export async function findDraft(
  { store }: Needs<'store'>,
  draftId: number,
): Promise<Draft | undefined> {
  const [draft] = await store.read.select().from(drafts).where(eq(drafts.id, draftId))
  return draft
}

/** Whether nobody knows where in the folder the draft's copy is, until a sync has compared: then it could not be replaced. */
export async function isCopyUnplaced(
  { store }: Needs<'store'>,
  { draftId, folderId }: { readonly draftId: number; readonly folderId: number },
): Promise<boolean> {
  const [unplaced] = await store.read
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.draftId, draftId),
        eq(messages.serverFolderId, folderId),
        isNull(messages.uid),
      ),
    )
    .limit(1)
  return unplaced !== undefined
}

/**
 * Remembers, before the server is asked, which revision of a draft may soon be there, and counts the attempt: a server
 * that cuts the connection is not asked again at once. The draft as it is published; undefined where nothing is to be.
 */
export async function startPublishing(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  draftId: number,
): Promise<Draft | undefined> {
  return durablyUnderLease(ctx, lease, async (tx) => {
    const [draft] = await tx.select().from(drafts).where(eq(drafts.id, draftId))
    if (!draft || draft.removedAt !== null || draft.accountId !== lease.accountId) return undefined
    const isPublished = draft.revision === draft.publishedRevision
    const [started] = await tx
      .update(drafts)
      .set(
        isPublished
          ? { publishDueAt: null, unpublishedSince: null }
          : { appendingRevision: draft.revision, ...anotherAttempt(ctx) },
      )
      .where(eq(drafts.id, draftId))
      .returning()
    return isPublished ? undefined : started
  })
}

/** Tries to publish a draft again later, where nothing went wrong. */
export async function postponePublishing(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  draftId: number,
): Promise<void> {
  await underLease(ctx, lease, (tx) =>
    tx
      .update(drafts)
      .set({ ...anotherAttempt(ctx), publishError: null })
      .where(eq(drafts.id, draftId)),
  )
}

/**
 * Tries again later what could not be done now with `draft`, as it was before the attempt. It is kept here whatever
 * happens; after some attempts the owner hears once that it is here alone. `reason` is in words for people.
 */
export async function postponeRefused(
  ctx: Needs<'store' | 'clock'>,
  lease: Lease,
  { draft, reason }: { readonly draft: Draft; readonly reason: string },
): Promise<void> {
  await underLease(ctx, lease, async (tx) => {
    const [after] = await tx
      .update(drafts)
      .set({ ...anotherAttempt(ctx), publishError: reason })
      .where(eq(drafts.id, draft.id))
      .returning()
    if (!after || after.removedAt !== null) return
    const isManyNow = after.publishAttempts >= ATTEMPTS_UNTIL_TOLD
    if (!isManyNow || draft.publishAttempts >= ATTEMPTS_UNTIL_TOLD) return
    const what = after.subject === '' ? 'A draft without a subject' : `The draft "${after.subject}"`
    const text = `${what} is kept here, but the mail server does not take it: ${reason}`
    const createdAt = ctx.clock.now().getTime()
    const { accountId } = lease
    await leaveNotice(tx, { accountId, kind: 'change_refused', text, createdAt })
  })
}

/** Over ten minutes, as the delays grow. */
const ATTEMPTS_UNTIL_TOLD = 12

const anotherAttempt = ({ clock }: Needs<'clock'>) => ({
  publishDueAt: retryTime(clock.now().getTime()),
  publishAttempts: sql`${drafts.publishAttempts} + 1`,
})

/** Lets go of a draft that was deleted or sent, once all that the server may have of it has been found. */
export async function finishRemoval(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  lease: Lease,
  draftId: number,
): Promise<void> {
  await unitUnderLease(ctx, lease, async (unit) => {
    const [draft] = await unit.tx.select().from(drafts).where(eq(drafts.id, draftId))
    if (!draft || draft.removedAt === null) return
    const nowMs = ctx.clock.now().getTime()
    await dropDraft(unit, { ...draft, appendingRevision: null }, nowMs)
  })
}
