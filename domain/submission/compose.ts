import { and, eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { OutgoingMessage } from '../../db/schema/outbox.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { DomainError } from '../errors.ts'
import { bodiesOf, type BodyMode } from './alternative.ts'
import { fieldText } from './field-text.ts'
import { type RecipientInput, recipients, replyAddresses } from './recipients.ts'
import { sendingAccount, type SenderInput } from './sending-account.ts'
import { type Original, threadHeaders } from './thread-headers.ts'

/** A message as somebody writes it: every recipient and `replyTo` is one address, with or without a name. */
export interface ComposeInput extends RecipientInput, SenderInput {
  readonly replyTo: readonly string[]
  readonly subject: string
  readonly body: string
  readonly mode: BodyMode
  /** The service id of the message that is answered. */
  readonly inReplyTo?: number | undefined
}

/** A message that can be sent, and by whom. */
export interface Composed {
  readonly accountId: number
  readonly message: OutgoingMessage
  readonly inReplyTo?: number
}

/**
 * Makes a message of what was written, and stores nothing. Throws `invalid_request` that names the field, and
 * `not_found` for an account or a message to answer that is not there.
 */
export async function compose(
  ctx: Needs<'store' | 'bodyRenderer'>,
  input: ComposeInput,
): Promise<Composed> {
  const to = recipients(input)
  const replyTo = replyAddresses(input.replyTo)
  const subject = fieldText('subject', input.subject)
  const { inReplyTo } = input
  const original = inReplyTo === undefined ? undefined : await originalOf(ctx, inReplyTo)
  const { accountId, from } = await sendingAccount(ctx, input, original?.accountId)
  const thread = original ? threadHeaders(original) : { references: [] }
  const bodies = await bodiesOf(ctx, input.mode, input.body)
  return {
    accountId,
    message: { from, ...to, replyTo, subject, ...bodies, ...thread },
    ...(inReplyTo !== undefined && { inReplyTo }),
  }
}

async function originalOf(
  { store }: Needs<'store'>,
  id: number,
): Promise<Original & { readonly accountId: number }> {
  const [original] = await store.read
    .select({
      accountId: messages.accountId,
      messageIdHeader: contents.messageIdHeader,
      references: contents.references,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(eq(messages.id, id), isNotRemoved))
  if (!original) throw new DomainError('not_found', `in_reply_to: there is no message ${id}.`)
  return original
}
