import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Reader, Tx } from '../../../db/client.ts'
import { outgoingAttachments } from '../../../db/schema/attachment-data.ts'
import { drafts } from '../../../db/schema/drafts.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { type Lease, unitUnderLease } from '../../sync/lease.ts'
import { attach } from '../../submission/attachment-data.ts'
import type { Draft } from '../draft-record.ts'
import { insertDraft } from '../insert.ts'
import { newDraftMessageId } from '../message-id.ts'
import { openEntry } from '../sending.ts'
import { type Adoption, adoptionOf } from './decide.ts'
import { type FoundCopy, isNotMarkedDeleted, readFoundCopy } from './found-copies.ts'
import { isPlainId } from './plain-id.ts'
import { type CopyRead, readCopy } from './read-copy.ts'

type Ports = Needs<'store' | 'clock' | 'wake' | 'sourceReader'>

/**
 * Makes a draft of a message that another mail program has put into the Drafts folder, or has the draft follow that it
 * is a newer state of; nothing that either side wrote is lost. False where it cannot be done now. Throws `upstream`
 * while its source cannot be had.
 */
export async function adoptCopy(
  ctx: Ports,
  lease: Lease,
  { messageId, hasWaited }: { readonly messageId: number; readonly hasWaited: boolean },
): Promise<boolean> {
  const copy = await readFoundCopy(ctx, messageId)
  if (!copy) return true
  const found = { copy, hasWaited }
  if ((await decided(ctx.store.read, lease, found)).adoption === 'wait') return false
  const read = await readCopy(ctx, lease.accountId, copy)
  if (!read) return false
  const nowMs = ctx.clock.now().getTime()
  const isAdopted = await unitUnderLease(ctx, lease, async ({ tx }) => {
    const isUntied = and(eq(messages.id, copy.messageId), isNull(messages.draftId))
    const [untied] = await tx.select({ id: messages.id }).from(messages).where(isUntied)
    const { draft, adoption } = await decided(tx, lease, found)
    if (!untied || adoption === 'wait') return false
    const draftId = await ADOPTIONS[adoption](tx, { copy, read, draft, lease, nowMs })
    await tx.update(messages).set({ draftId }).where(eq(messages.id, copy.messageId))
    return true
  })
  if (isAdopted) ctx.wake.now('changes')
  return isAdopted
}

const isFor = ({ accountId }: Lease, { messageIdHeader }: FoundCopy) =>
  and(eq(drafts.messageIdHeader, messageIdHeader ?? ''), eq(drafts.accountId, accountId))

async function decided(
  read: Reader,
  lease: Lease,
  { copy, hasWaited }: { readonly copy: FoundCopy; readonly hasWaited: boolean },
): Promise<{ readonly draft: Draft | undefined; readonly adoption: Adoption }> {
  const [draft] = await read.select().from(drafts).where(isFor(lease, copy))
  if (!draft) return { draft, adoption: 'new' }
  const [tied] = await read
    .select({ uid: messages.uid, contentId: messages.contentId })
    .from(messages)
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .where(
      and(eq(messages.draftId, draft.id), eq(folders.specialUse, 'drafts'), isNotMarkedDeleted),
    )
    .orderBy(desc(messages.uid))
    .limit(1)
  const isBeingSent = (await openEntry(read, draft.id)) !== undefined
  const isSame = tied?.contentId === copy.contentId
  const known = { draft, isBeingSent, tiedUid: tied?.uid ?? undefined, isSame, hasWaited }
  return { draft, adoption: adoptionOf(copy, known) }
}

interface Adopted {
  readonly copy: FoundCopy
  readonly read: CopyRead
  readonly draft: Draft | undefined
  readonly lease: Lease
  readonly nowMs: number
}

/** How each is done; the id of the draft that the message then stands for. */
const ADOPTIONS: Readonly<
  Record<Exclude<Adoption, 'wait'>, (tx: Tx, adopted: Adopted) => Promise<number>>
> = {
  new: insertPublished,
  same: async (_, { draft }) => requireDraft(draft).id,
  follow,
  keep_ours: async (tx, adopted) => {
    // Whoever edits theirs goes on under its Message-ID.
    const { id } = requireDraft(adopted.draft)
    await tx.update(drafts).set({ messageIdHeader: newDraftMessageId() }).where(eq(drafts.id, id))
    return insertPublished(tx, adopted)
  },
  keep_theirs: async (tx, adopted) => {
    await copyOurs(tx, adopted)
    return follow(tx, adopted)
  },
}

/** It was decided that there is one. */
function requireDraft(draft: Draft | undefined): Draft {
  if (!draft) throw new Error('There is no draft that the message could stand for.')
  return draft
}

/** A draft that the server has already. */
async function insertPublished(
  tx: Tx,
  { copy, read: { fields, attachments }, lease: { accountId }, nowMs }: Adopted,
): Promise<number> {
  const { messageIdHeader } = copy
  const [namesake] = await tx
    .select({ id: drafts.id })
    .from(drafts)
    .where(eq(drafts.messageIdHeader, messageIdHeader ?? ''))
  const isKept = !namesake && messageIdHeader !== null && isPlainId(messageIdHeader)
  const draft = {
    ...fields,
    accountId,
    kind: fields.inReplyToHeader === null ? 'new' : 'reply',
    messageIdHeader: isKept ? messageIdHeader : newDraftMessageId(),
    attachments,
    publishedRevision: 1,
    publishDueAt: null,
    unpublishedSince: null,
    updatedAt: Math.min(copy.internalDate, nowMs),
  } as const
  return insertDraft(tx, draft, nowMs)
}

async function follow(
  tx: Tx,
  { read: { fields, attachments }, draft: known, nowMs }: Adopted,
): Promise<number> {
  const draft = requireDraft(known)
  const revision = draft.revision + 1
  const isMarkdown = draft.mode === 'markdown' && fields.mode === 'plain'
  await tx
    .update(drafts)
    .set({
      ...fields,
      ...(isMarkdown && { mode: 'markdown' as const }),
      inReplyTo: fields.inReplyTo ?? draft.inReplyTo,
      revision,
      publishedRevision: revision,
      publishDueAt: null,
      unpublishedSince: null,
      copyMissedAt: null,
      updatedAt: nowMs,
    })
    .where(eq(drafts.id, draft.id))
  await attach(tx, { draftId: draft.id }, attachments)
  // What it replaces was left to whoever replaced it: in Trash, or marked as deleted.
  await tx.update(messages).set({ draftId: null }).where(eq(messages.draftId, draft.id))
  return draft.id
}

/** Keeps what was written here as a second draft, with what is attached to it, to be published in its turn. */
async function copyOurs(tx: Tx, { draft: known, nowMs }: Adopted): Promise<void> {
  const draft = requireDraft(known)
  const { accountId, kind, from, replyTo, to, cc, bcc, subject, body, mode } = draft
  const { inReplyTo, inReplyToHeader, references } = draft
  const fields = { accountId, kind, from, replyTo, to, cc, bcc, subject, body, mode }
  const id = await insertDraft(tx, { ...fields, inReplyTo, inReplyToHeader, references }, nowMs)
  await tx
    .update(outgoingAttachments)
    .set({ draftId: id })
    .where(eq(outgoingAttachments.draftId, draft.id))
}
