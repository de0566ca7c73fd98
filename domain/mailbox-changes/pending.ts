import { asc, inArray } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { type FlagsChange, mailboxChanges } from '../../db/schema/mailbox-changes.ts'

/** What was changed of a message here and the server has not confirmed: a sync leaves it as it is shown. */
export interface PendingChange {
  readonly read: boolean
  readonly starred: boolean
  readonly answered: boolean
  readonly labelsAdded: readonly string[]
  readonly labelsRemoved: readonly string[]
  readonly moved: boolean
  /** The folder that it is shown in, where it was moved. */
  readonly movedTo?: number
  /** Whether the server was asked for a move: the message may be there already, and gone from where it was. */
  readonly moveStarted: boolean
}

export const NOTHING_PENDING: PendingChange = {
  read: false,
  starred: false,
  answered: false,
  labelsAdded: [],
  labelsRemoved: [],
  moved: false,
  moveStarted: false,
}

/** What is pending of these messages, by their ids; nothing of those that are not among them. */
export async function pendingChanges(
  read: Reader,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, PendingChange>> {
  const pending = new Map<number, PendingChange>()
  if (messageIds.length === 0) return pending
  const rows = await read
    .select()
    .from(mailboxChanges)
    .where(inArray(mailboxChanges.messageId, [...messageIds]))
    .orderBy(asc(mailboxChanges.id))
  for (const row of rows) {
    if (row.messageId === null) continue
    const before = pending.get(row.messageId) ?? NOTHING_PENDING
    pending.set(row.messageId, withChange(before, row))
  }
  return pending
}

function withChange(
  before: PendingChange,
  { kind, change, startedAt }: typeof mailboxChanges.$inferSelect,
): PendingChange {
  if (kind === 'move') {
    const moveStarted = before.moveStarted || startedAt !== null
    return { ...before, moved: true, ...movedTo(change), moveStarted }
  }
  const { labelsAdded = [], labelsRemoved = [] }: FlagsChange = 'folderId' in change ? {} : change
  return {
    ...before,
    read: before.read || 'read' in change,
    starred: before.starred || 'starred' in change,
    answered: before.answered || 'answered' in change,
    labelsAdded: [...before.labelsAdded, ...labelsAdded],
    labelsRemoved: [...before.labelsRemoved, ...labelsRemoved],
  }
}

const movedTo = (change: (typeof mailboxChanges.$inferSelect)['change']) =>
  'folderId' in change ? { movedTo: change.folderId } : {}
