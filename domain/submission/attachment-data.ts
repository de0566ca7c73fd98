import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { attachmentChunks, outgoingAttachments } from '../../db/schema/attachment-data.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { OutgoingAttachment } from '../../runtime/ports/submission.ts'
import { preparedPer } from '../prepared.ts'
import { type AttachmentInput, checkedAttachments } from './attachment-input.ts'
import { attachmentWriter, CHUNK_BYTES } from './attachment-writer.ts'
import { decodedPieces } from './base64.ts'
import { discardData } from './discard-data.ts'

/** An attachment whose bytes are stored, and go again unless something is given them with `attach`. */
export interface StoredAttachment {
  readonly filename: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** What the HTML text shows it by (RFC 2392), without angle brackets. */
  readonly inlineId?: string | null
  readonly dataId: string
}

/** What attachments belong to. */
export type AttachmentOwner = { readonly draftId: number } | { readonly outboxId: number }

/**
 * Stores the bytes of attachments, in many small transactions, once all of them are checked: name, content type, base64,
 * and at most 25 MiB in all. Throws `invalid_request` that names which, before anything is stored.
 */
export async function storeAttachments(
  ctx: Needs<'store' | 'clock'>,
  inputs: readonly AttachmentInput[],
): Promise<readonly StoredAttachment[]> {
  const checked = await checkedAttachments(ctx, inputs)
  const stored: StoredAttachment[] = []
  for (const { filename, contentType, data } of checked) {
    stored.push(
      typeof data === 'string'
        ? await storeAttachmentBytes(ctx, { filename, contentType, bytes: decodedPieces(data) })
        : { filename, contentType, ...data },
    )
  }
  return stored
}

/** Stores what is read from `bytes`, however much that is, under a name and a type that are not checked. */
export async function storeAttachmentBytes(
  ctx: Needs<'store' | 'clock'>,
  attachment: {
    readonly filename: string
    readonly contentType: string
    readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array
  },
): Promise<StoredAttachment> {
  const { filename, contentType, bytes } = attachment
  const writer = attachmentWriter(ctx)
  for await (const chunk of chunksOf(bytes)) {
    await writer.write(chunk)
    await ctx.clock.sleep(0)
  }
  return { filename, contentType, ...(await writer.end()) }
}

/** Gives the attachments to a draft or an outgoing message, in this order; whatever it had goes. */
export async function attach(
  tx: Tx,
  owner: AttachmentOwner,
  stored: readonly StoredAttachment[],
): Promise<void> {
  await tx.delete(outgoingAttachments).where(isOf(owner))
  if (stored.length === 0) return
  await tx
    .insert(outgoingAttachments)
    .values(stored.map((attachment, position) => ({ ...attachment, ...owner, position })))
}

/** Forgets those bytes among these that nothing was given. */
export const discardAttachments = (
  ctx: Needs<'store'>,
  stored: readonly StoredAttachment[],
): Promise<void> =>
  discardData(
    ctx,
    stored.map(({ dataId }) => dataId),
  )

/** The attachments of a draft or an outgoing message, in order, to be stored again under another owner. */
export async function listAttachments(
  { store }: Needs<'store'>,
  owner: AttachmentOwner,
): Promise<readonly StoredAttachment[]> {
  return 'draftId' in owner
    ? ofOwner(store.read, 'draftId').all({ id: owner.draftId })
    : ofOwner(store.read, 'outboxId').all({ id: owner.outboxId })
}

const ofOwner = preparedPer(String, (read, owner: 'draftId' | 'outboxId') => {
  const { filename, contentType, size, inlineId, dataId, position } = outgoingAttachments
  return read
    .select({ filename, contentType, size, inlineId, dataId })
    .from(outgoingAttachments)
    .where(eq(outgoingAttachments[owner], sql.placeholder('id')))
    .orderBy(asc(position))
    .prepare()
})

/** The same, with the way to their bytes, which are read chunk by chunk. */
export async function readAttachments(
  ctx: Needs<'store'>,
  owner: AttachmentOwner,
): Promise<readonly OutgoingAttachment[]> {
  const listed = await listAttachments(ctx, owner)
  return listed.map(({ dataId, ...attachment }) => ({
    ...attachment,
    content: () => storedBytes(ctx, { dataId, size: attachment.size }),
  }))
}

async function* storedBytes(
  { store }: Needs<'store'>,
  { dataId, size }: { dataId: string; size: number },
): AsyncGenerator<Uint8Array> {
  let read = 0
  for (let position = 0; read < size; position++) {
    const [chunk] = await store.read
      .select({ bytes: attachmentChunks.bytes })
      .from(attachmentChunks)
      .where(and(eq(attachmentChunks.dataId, dataId), eq(attachmentChunks.position, position)))
    if (!chunk) throw new Error('The bytes of an attachment are not there.')
    read += chunk.bytes.length
    yield chunk.bytes
  }
}

const isOf = (owner: AttachmentOwner) =>
  'draftId' in owner
    ? eq(outgoingAttachments.draftId, owner.draftId)
    : eq(outgoingAttachments.outboxId, owner.outboxId)

async function* chunksOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let start = 0; start < piece.length; start += CHUNK_BYTES) {
      yield piece.subarray(start, start + CHUNK_BYTES)
    }
  }
}
