import { and, asc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { contentBodies, contents } from '../../../db/schema/contents.ts'
import { folders } from '../../../db/schema/folders.ts'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'

/** What may be attached to a message in all, in base64, and room for what it says. */
const ADOPTED_BYTES_MAX = 40 * 1024 * 1024
const COPIES_AT_ONCE = 1_000

/** Whether a message is not waiting to be expunged: its flags, as JSON writes them. */
export const isNotMarkedDeleted = sql`${messages.serverFlags} not like ${'%"\\\\Deleted"%'}`

/** The ids of those messages in the account's Drafts folder that no draft stands for, but for what is marked as deleted. */
export async function foundCopies(
  { store }: Needs<'store'>,
  accountId: number,
): Promise<readonly number[]> {
  const found = await store.read
    .select({ messageId: messages.id })
    .from(folders)
    .innerJoin(messages, eq(messages.folderId, folders.id))
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .where(
      and(
        eq(folders.accountId, accountId),
        eq(folders.specialUse, 'drafts'),
        isNull(messages.draftId),
        isNotNull(messages.uid),
        lte(contents.size, ADOPTED_BYTES_MAX),
        isNotMarkedDeleted,
      ),
    )
    .orderBy(asc(messages.uid))
    .limit(COPIES_AT_ONCE)
  return found.map(({ messageId }) => messageId)
}

/** A message of a Drafts folder that a draft may stand for. */
export type FoundCopy = NonNullable<Awaited<ReturnType<typeof readFoundCopy>>>

/** What the store has of it; undefined where it is gone. */
export async function readFoundCopy({ store }: Needs<'store'>, messageId: number) {
  const [copy] = await store.read
    .select({
      messageId: messages.id,
      contentId: messages.contentId,
      uid: messages.uid,
      internalDate: messages.internalDate,
      sourceHash: contents.sourceHash,
      size: contents.size,
      attachments: contents.attachments,
      messageIdHeader: contents.messageIdHeader,
      inReplyToHeader: contents.inReplyToHeader,
      references: contents.references,
      from: contents.from,
      replyTo: contents.replyTo,
      to: contents.to,
      cc: contents.cc,
      bcc: contents.bcc,
      subject: contents.subject,
      text: contentBodies.text,
      hasHtml: contentBodies.hasHtml,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(contentBodies, eq(contentBodies.contentId, contents.id))
    .where(eq(messages.id, messageId))
  return copy
}
