import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contentBodies, contents, type AttachmentInfo } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import { prepared } from '../prepared.ts'
import { readBody, type BodyChoice, type MessageBody } from './body.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

export interface MessageDetail extends MessageRow, MessageBody {
  readonly attachments: readonly AttachmentInfo[]
  /** The header block as received; null when it is not stored. */
  readonly headersRaw: Uint8Array | null
}

const byId = prepared((read) =>
  read
    .select({
      ...MESSAGE_COLUMNS,
      attachments: contents.attachments,
      sourceHash: contents.sourceHash,
      text: contentBodies.text,
      hasHtml: contentBodies.hasHtml,
      headersRaw: contentBodies.headersRaw,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .leftJoin(contentBodies, eq(contentBodies.contentId, contents.id))
    .where(and(eq(messages.id, sql.placeholder('messageId')), isNotRemoved))
    .prepare(),
)

/** A message with its body. Throws `not_found`; a body that cannot be had becomes `bodyError` instead. */
export async function getMessage(
  ctx: Needs<'store' | 'sourceReader' | 'logger'>,
  input: { readonly messageId: number; readonly body: BodyChoice },
): Promise<MessageDetail> {
  const [row] = await byId(ctx.store.read).all({ messageId: input.messageId })
  if (!row) throw notFound('message', input.messageId)
  return { ...row, ...(await readBody(ctx, row, input.body)) }
}
