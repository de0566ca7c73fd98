import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { threadHeaders } from '../submission/thread-headers.ts'

/** The message that a draft answers or forwards; undefined where there is none any more. */
export async function findOriginal(read: Reader, messageId: number) {
  const [original] = await read
    .select({
      accountId: messages.accountId,
      subject: contents.subject,
      messageIdHeader: contents.messageIdHeader,
      references: contents.references,
    })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(eq(messages.id, messageId), isNotRemoved))
  return original
}

export type DraftOriginal = NonNullable<Awaited<ReturnType<typeof findOriginal>>>

/** The columns by which the copy on the server names what it answers. */
export const threadColumns = (
  original: DraftOriginal,
  kind: 'new' | 'reply' | 'reply_all' | 'forward',
) => (kind === 'forward' ? { references: [] } : threadHeaders(original))
