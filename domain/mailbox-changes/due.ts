import { and, asc, eq, lt, lte, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { contents } from '../../db/schema/contents.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** What a change says, by its kind. */
export type { FlagsChange, FolderChange, Original } from '../../db/schema/mailbox-changes.ts'

/** How many changes are looked at in one go. */
const CHANGES_AT_ONCE = 1_000

/** A change, and its message as the server has it. */
export type DueChange = Awaited<ReturnType<typeof dueChanges>>[number]

/**
 * The account's changes that can be made now, oldest first, new folders before all: of each message only the first,
 * since the others build on it (architecture, section 15).
 */
export async function dueChanges({ store, clock }: Needs<'store' | 'clock'>, accountId: number) {
  const earlier = alias(mailboxChanges, 'earlier')
  const preceding = store.read
    .select({ id: earlier.id })
    .from(earlier)
    .where(and(eq(earlier.messageId, mailboxChanges.messageId), lt(earlier.id, mailboxChanges.id)))
  return store.read
    .select({
      id: mailboxChanges.id,
      kind: mailboxChanges.kind,
      change: mailboxChanges.change,
      attempts: mailboxChanges.attempts,
      startedAt: mailboxChanges.startedAt,
      messageId: mailboxChanges.messageId,
      serverFolderId: messages.serverFolderId,
      uid: messages.uid,
      uidValidity: messages.uidValidity,
      serverFlags: messages.serverFlags,
      serverLabels: messages.serverLabels,
      sourceHash: contents.sourceHash,
      messageIdHeader: contents.messageIdHeader,
      size: contents.size,
    })
    .from(mailboxChanges)
    .leftJoin(messages, eq(messages.id, mailboxChanges.messageId))
    .leftJoin(contents, eq(contents.id, messages.contentId))
    .where(
      and(
        eq(mailboxChanges.accountId, accountId),
        lte(mailboxChanges.nextAttemptAt, clock.now().getTime()),
        notExists(preceding),
      ),
    )
    .orderBy(asc(sql`${mailboxChanges.kind} <> 'create_folder'`), asc(mailboxChanges.id))
    .limit(CHANGES_AT_ONCE)
}
