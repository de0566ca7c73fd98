import { and, desc, eq } from 'drizzle-orm'
import { accounts } from '../../../db/schema/accounts.ts'
import { type AttachmentInfo, contents } from '../../../db/schema/contents.ts'
import { messages } from '../../../db/schema/messages.ts'
import type { Needs } from '../../../runtime/ports/runtime.ts'
import { readSource } from '../../messages/read-source.ts'
import { type StoredAttachment, storeAttachmentBytes } from '../../submission/attachment-data.ts'
import type { Draft } from '../draft-record.ts'
import { addressList } from './address-list.ts'
import type { FoundCopy } from './found-copies.ts'
import { isPlainId } from './plain-id.ts'
import { sendersOf } from './senders.ts'

const ATTACHED_BYTES_MAX = 25 * 1024 * 1024

/** What a draft is to say that follows a message of another mail program. */
export interface CopyRead {
  readonly fields: Pick<
    Draft,
    | 'from'
    | 'replyTo'
    | 'to'
    | 'cc'
    | 'bcc'
    | 'subject'
    | 'body'
    | 'mode'
    | 'inReplyTo'
    | 'inReplyToHeader'
    | 'references'
  >
  readonly attachments: readonly StoredAttachment[]
}

type Ports = Needs<'store' | 'clock' | 'sourceReader'>

/**
 * Reads a message as a draft, and keeps what is attached to it. Undefined where that is too much to be sent. Throws
 * `upstream` while its source cannot be had.
 */
export async function readCopy(
  ctx: Ports,
  accountId: number,
  copy: FoundCopy,
): Promise<CopyRead | undefined> {
  const attached = copy.attachments.reduce((sum, { size }) => sum + size, 0)
  if (attached > ATTACHED_BYTES_MAX) return undefined
  const body = await bodyOf(ctx, copy)
  if (!body) return undefined
  const { inReplyToHeader, references } = copy
  return {
    fields: {
      ...sendersOf(copy, await emailOf(ctx, accountId)),
      to: addressList(copy.to),
      cc: addressList(copy.cc),
      bcc: addressList(copy.bcc),
      subject: copy.subject.replaceAll(/\p{Cc}+/gu, ' '),
      ...body,
      inReplyTo: inReplyToHeader === null ? null : await idOf(ctx, accountId, inReplyToHeader),
      inReplyToHeader,
      references,
    },
    attachments: await attachmentsOf(ctx, copy),
  }
}

async function emailOf({ store }: Ports, accountId: number): Promise<string> {
  const [account] = await store.read
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  return account?.email ?? ''
}

async function bodyOf(
  ctx: Ports,
  copy: FoundCopy,
): Promise<{ readonly mode: 'plain' | 'html'; readonly body: string } | undefined> {
  if (!copy.hasHtml) return { mode: 'plain', body: withoutNul(copy.text ?? '') }
  const { html, tooLong } = await readSource(ctx.sourceReader.bodies(copy))
  return html === undefined || tooLong ? undefined : { mode: 'html', body: withoutNul(html) }
}

const withoutNul = (text: string) => text.replaceAll('\0', '')

async function attachmentsOf(ctx: Ports, copy: FoundCopy): Promise<readonly StoredAttachment[]> {
  const stored: StoredAttachment[] = []
  for (const index of copy.attachments.keys()) {
    const found = await readSource(ctx.sourceReader.attachment(copy, index))
    if (!found) continue
    const { filename, contentType } = found.info
    const attachment = { filename, contentType, bytes: found.stream }
    const inlineId = copy.hasHtml ? inlineIdOf(found.info) : null
    stored.push({ ...(await storeAttachmentBytes(ctx, attachment)), inlineId })
  }
  return stored
}

/** What our own copy can name again: whoever wrote this one may have written anything. */
const inlineIdOf = ({ inline, contentId }: AttachmentInfo): string | null =>
  inline && contentId !== undefined && isPlainId(contentId) ? contentId : null

async function idOf(
  { store }: Ports,
  accountId: number,
  messageIdHeader: string,
): Promise<number | null> {
  const [answered] = await store.read
    .select({ id: messages.id })
    .from(contents)
    .innerJoin(messages, eq(messages.contentId, contents.id))
    .where(and(eq(contents.messageIdHeader, messageIdHeader), eq(messages.accountId, accountId)))
    .orderBy(desc(messages.id))
    .limit(1)
  return answered?.id ?? null
}
