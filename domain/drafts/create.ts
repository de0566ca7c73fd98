import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { getAccountId } from '../accounts/get-id.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { notFound } from '../errors.ts'
import type { Binding } from '../idempotency/bind.ts'
import { storeAttachments } from '../submission/attachment-data.ts'
import type { AttachmentInput } from '../submission/attachment-input.ts'
import { checkedFields, type DraftFields } from './checked-fields.ts'
import type { DraftRecord } from './draft-record.ts'
import { type DraftOriginal, findOriginal, threadColumns } from './original.ts'
import { storeDraft } from './store.ts'

export interface CreateDraft extends DraftFields {
  /** The name of its account; absent or empty for that of the original, or the only one there is. */
  readonly account?: string | undefined
  readonly kind?: 'new' | 'reply' | 'reply_all' | 'forward' | undefined
  /** The service id of the message that is answered or forwarded. */
  readonly inReplyTo?: number | undefined
  readonly attachments?: readonly AttachmentInput[] | undefined
  readonly binding?: Binding | undefined
}

/**
 * Creates a draft, which may be incomplete. Throws `not_found` for an unknown account or original, and
 * `invalid_request` for what could not stand in a message; `KeyTaken` with nothing stored.
 */
export async function createDraft(
  ctx: Needs<'store' | 'clock' | 'wake'>,
  { account = '', kind, inReplyTo, attachments: given = [], binding, ...input }: CreateDraft,
): Promise<DraftRecord> {
  const fields = checkedFields(input)
  const original = await originalOf(ctx, inReplyTo)
  const accountId =
    account === '' ? await usualAccount(ctx, original) : await getAccountId(ctx, account)
  const attachments = await storeAttachments(ctx, given)
  const kindOrUsual = kind ?? (original ? 'reply' : 'new')
  const draft = {
    ...fields,
    ...(original && threadColumns(original, kindOrUsual)),
    accountId,
    kind: kindOrUsual,
    inReplyTo: inReplyTo ?? null,
    attachments,
  }
  const created = await storeDraft(ctx, draft, binding)
  ctx.wake.now('changes')
  return created
}

async function originalOf({ store }: Needs<'store'>, messageId: number | undefined) {
  if (messageId === undefined) return undefined
  const original = await findOriginal(store.read, messageId)
  if (!original) throw notFound('message', messageId)
  return original
}

async function usualAccount(
  { store }: Needs<'store'>,
  original: DraftOriginal | undefined,
): Promise<number | null> {
  if (original) return original.accountId
  const known = await store.read
    .select({ id: accounts.id })
    .from(accounts)
    .where(isNotRemoved)
    .limit(2)
  return known.length === 1 ? (known[0]?.id ?? null) : null
}
