import { eq } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { RenderedSource } from '../../runtime/ports/rendered-source.ts'
import type { OutgoingParts } from '../../runtime/ports/submission.ts'
import { parseAddresses } from '../mime/addresses.ts'
import { textOfHtml } from '../mime/text-of-html.ts'
import { parseAddress } from '../submission/addresses.ts'
import { readAttachments } from '../submission/attachment-data.ts'
import type { Draft } from './draft-record.ts'
import { REVISION_FIELD } from './revision-header.ts'

/** The copy of a draft for its server (RFC 5322), which other mail programs can edit: with its Bcc, Markdown as it is written. */
export async function draftSource(
  ctx: Needs<'store' | 'submission'>,
  draft: Draft,
): Promise<RenderedSource> {
  return ctx.submission.render(await partsOf(ctx, draft))
}

async function partsOf({ store }: Needs<'store'>, draft: Draft): Promise<OutgoingParts> {
  const [account] = await store.read
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, draft.accountId ?? 0))
  const { to, cc, bcc, subject, body, mode, inReplyToHeader, references, revision } = draft
  return {
    message: {
      from: { address: account?.email ?? '' },
      to: sayable(to),
      cc: sayable(cc),
      bcc: sayable(bcc),
      replyTo: [],
      subject,
      ...(mode === 'html' ? { text: textOfHtml(body), html: body } : { text: body }),
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
