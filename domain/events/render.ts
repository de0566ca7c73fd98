import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import type { events } from '../../db/schema/events.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { searchJobs } from '../../db/schema/search-jobs.ts'
import type { MailEvent } from './mail-event.ts'

export type EventRow = Omit<typeof events.$inferInsert, 'id' | 'createdAt'>

/**
 * The events as receivers get them (spec section 6), with every message as it stands in `tx` now. What others do is
 * told of continuously synced folders only (rule 3).
 */
export async function renderEvents(
  tx: Tx,
  emitted: readonly MailEvent[],
): Promise<readonly EventRow[]> {
  const messageIds = emitted.flatMap((event) => ('messageId' in event ? [event.messageId] : []))
  const subjects = await subjectsOf(tx, messageIds)
  const rows: EventRow[] = []
  for (const event of emitted) rows.push(...(await rendered(tx, event, subjects)))
  return rows
}

type Subject = Awaited<ReturnType<typeof selectSubjects>>[number]

async function subjectsOf(
  tx: Tx,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, Subject>> {
  if (messageIds.length === 0) return new Map()
  const rows = await selectSubjects(tx, messageIds)
  return new Map(rows.map((row) => [row.id, row]))
}

const selectSubjects = (tx: Tx, messageIds: readonly number[]) =>
  tx
    .select({
      id: messages.id,
      accountId: messages.accountId,
      account: accounts.name,
      folderId: messages.folderId,
      folder: folders.path,
      isSynced: folders.synced,
      from: contents.from,
      to: contents.to,
      subject: contents.subject,
      date: messages.date,
      snippet: contents.snippet,
      messageIdHeader: contents.messageIdHeader,
    })
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(folders, eq(folders.id, messages.folderId))
    .where(inArray(messages.id, [...messageIds]))

async function rendered(
  tx: Tx,
  event: MailEvent,
  subjects: ReadonlyMap<number, Subject>,
): Promise<readonly EventRow[]> {
  if (event.kind === 'sync.error') return syncError(tx, event)
  if (event.kind === 'search.completed') return searchCompleted(tx, event)
  const subject = subjects.get(event.messageId)
  if (!subject || (isExternal(event) && !subject.isSynced)) return []
  return [{ kind: event.kind, accountId: subject.accountId, data: dataOf(event, subject) }]
}

async function syncError(
  tx: Tx,
  { kind, accountId, error }: Extract<MailEvent, { kind: 'sync.error' }>,
): Promise<readonly EventRow[]> {
  const [account] = await tx
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  return account ? [{ kind, accountId, data: { account: account.name, error } }] : []
}

async function searchCompleted(
  tx: Tx,
  { kind, jobSeq }: Extract<MailEvent, { kind: 'search.completed' }>,
): Promise<readonly EventRow[]> {
  const jobs = await tx.select().from(searchJobs).where(eq(searchJobs.seq, jobSeq))
  return jobs.map(({ id, query, results }) => ({
    kind,
    accountId: OF_NO_ACCOUNT,
    data: { job_id: id, query, results: results ?? 0 },
  }))
}

const OF_NO_ACCOUNT = 0

const isExternal = (event: MailEvent) =>
  event.kind === 'message.deleted' ||
  (event.kind === 'message.updated' && event.origin === 'external')

function dataOf(
  event: Extract<MailEvent, { messageId: number }>,
  subject: Subject,
): EventRow['data'] {
  if (event.kind === 'message.sent') return sentData(subject)
  const data = receivedData(subject)
  if (event.kind !== 'message.updated') return data
  return { ...data, change: event.change, origin: event.origin }
}

const receivedData = (subject: Subject) => ({
  id: subject.id,
  account: subject.account,
  folder: subject.folder,
  folder_id: subject.folderId,
  from: subject.from[0],
  subject: subject.subject,
  date: new Date(subject.date).toISOString(),
  snippet: subject.snippet,
  message_id: subject.messageIdHeader ?? undefined,
})

const sentData = (subject: Subject) => ({
  id: subject.id,
  account: subject.account,
  to: subject.to,
  subject: subject.subject,
  date: new Date(subject.date).toISOString(),
  message_id: subject.messageIdHeader ?? undefined,
})
