import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { RenderedSource } from '../../runtime/ports/rendered-source.ts'
import type { OutgoingParts } from '../../runtime/ports/submission.ts'
import { parseAddresses } from '../mime/addresses.ts'
import { parseAddress } from '../submission/addresses.ts'
import { readAttachments } from '../submission/attachment-data.ts'
import type { Draft } from './draft-record.ts'
import { REVISION_FIELD } from './revision-header.ts'

/** The copy of a draft for its server (RFC 5322), which other mail programs can edit: with its Bcc, Markdown as it is written. */
export async function draftSource(
  ctx: Needs<'store' | 'submission' | 'bodyRenderer'>,
  draft: Draft,
): Promise<RenderedSource> {
  return ctx.submission.render(await partsOf(ctx, draft))
}

async function partsOf(
  { store, bodyRenderer }: Needs<'store' | 'bodyRenderer'>,
  draft: Draft,
): Promise<OutgoingParts> {
  const [account] = await store.read
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, draft.accountId ?? 0))
  const { from, to, cc, bcc, replyTo, subject, body, mode } = draft
  const { inReplyToHeader, references, revision } = draft
  // What cannot be read as text is left to the HTML.
  const bodies =
    mode === 'html'
      ? ((await bodyRenderer.render('html', body)) ?? { text: '', html: body })
      : { text: body }
  return {
    message: {
      from: from ?? { address: account?.email ?? '' },
      to: sayable(to),
      cc: sayable(cc),
      bcc: sayable(bcc),
      replyTo,
      subject,
      ...bodies,
      ...(inReplyToHeader !== null && { inReplyToHeader }),
      references,
      headers: [{ name: REVISION_FIELD, value: String(revision) }],
    },
    messageIdHeader: draft.messageIdHeader,
    dateMs: draft.updatedAt,
    attachments: await readAttachments({ store }, { draftId: draft.id }),
    isDraft: true,
  }
}

/** Those recipients that a header can name: a draft may hold half an address. */
const sayable = (list: string) => parseAddresses([list]).filter(isSayable)

function isSayable({ address }: { readonly address: string }): boolean {
  try {
    return parseAddress('', address).address !== ''
  } catch {
    return false
  }
}
