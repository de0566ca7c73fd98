import { inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import type { FlagsChange } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { MailEvent, MessageChange } from '../events/mail-event.ts'
import { type QueuedChange, queueMailboxChanges } from '../mailbox-changes/queue.ts'
import type { MoveTarget } from '../folders/find-target.ts'
import type { Unit } from '../unit-of-work.ts'
import type { ChangeSet } from './change-set.ts'
import { labelsWithout, unitedLabels } from './labels.ts'

/** The columns that a change needs to know. */
export const CHANGEABLE = {
  id: messages.id,
  accountId: messages.accountId,
  folderId: messages.folderId,
  read: messages.read,
  starred: messages.starred,
  answered: messages.answered,
  labels: messages.labels,
}

/** A message as it is shown before a change. */
export type Changeable = Pick<typeof messages.$inferSelect, keyof typeof CHANGEABLE>

/** A change set whose labels are checked and whose folder, if any, is one of the messages' own account. */
export interface Change extends Omit<ChangeSet, 'folderId'> {
  readonly target?: MoveTarget | undefined
  readonly answered?: boolean | undefined
}

/**
 * Changes what is shown of messages of one account, queues what their server has to learn, and tells of it: one event
 * for each kind of change that there are events of, none for what was already so (contract section 3).
 */
export async function applyChange(
  unit: Unit,
  rows: readonly Changeable[],
  { change, nowMs }: { readonly change: Change; readonly nowMs: number },
): Promise<void> {
  const plans = await showChange(unit, rows, change)
  await queueMailboxChanges(unit.tx, nowMs, plans.flatMap(queuedOf))
}

/** The same for what the server knows already: nothing is queued. */
export async function showChange(
  { tx, emit }: Unit,
  rows: readonly Changeable[],
  change: Change,
): Promise<readonly Plan[]> {
  const plans = rows.map((row) => planOf(row, change)).filter(isAnyChange)
  await show(tx, plans, change)
  await emit(plans.flatMap(eventsOf))
  return plans
}

const isAnyChange = ({ kinds, isAnswerChanged }: Plan) => kinds.length > 0 || isAnswerChanged

/** What a change comes to for one message. */
interface Plan {
  readonly row: Changeable
  /** Nobody is told whether a message was answered. */
  readonly kinds: readonly MessageChange[]
  readonly isAnswerChanged: boolean
  readonly flags: FlagsChange
  readonly labels: readonly string[]
  readonly target: MoveTarget | undefined
}

function planOf(
  row: Changeable,
  { read, starred, answered, labelsAdd = [], labelsRemove = [], target }: Change,
): Plan {
  const added = unitedLabels(row.labels, labelsAdd)
  const labels = labelsWithout(added, labelsRemove)
  const labelsAdded = labelsWithout(labels, row.labels)
  const labelsRemoved = labelsWithout(row.labels, labels)
  const isRead = read !== undefined && read !== row.read
  const isStarred = starred !== undefined && starred !== row.starred
  const isAnswerChanged = answered !== undefined && answered !== row.answered
  const isMoved = target !== undefined && target.id !== row.folderId
  const kinds: MessageChange[] = []
  if (isRead) kinds.push(read ? 'read' : 'unread')
  if (isStarred) kinds.push(starred ? 'starred' : 'unstarred')
  if (labelsAdded.length > 0) kinds.push('labeled')
  if (labelsRemoved.length > 0) kinds.push('unlabeled')
  if (isMoved) kinds.push('moved')
  const flags = {
    ...(isRead && { read }),
    ...(isStarred && { starred }),
    ...(isAnswerChanged && answered && { answered }),
    ...(labelsAdded.length > 0 && { labelsAdded }),
    ...(labelsRemoved.length > 0 && { labelsRemoved }),
  }
  return { row, kinds, isAnswerChanged, flags, labels, target: isMoved ? target : undefined }
}

/** One statement for all messages that come to show the same, so that a thousand take few. */
async function show(
  tx: Tx,
  plans: readonly Plan[],
  { read, starred, answered }: Change,
): Promise<void> {
  const same = Map.groupBy(plans, ({ labels, target }) => JSON.stringify([labels, target]))
  for (const group of same.values()) {
    const [{ labels, target } = { labels: [], target: undefined }] = group
    await tx
      .update(messages)
      .set({
        ...(read !== undefined && { read }),
        ...(starred !== undefined && { starred }),
        ...(answered !== undefined && { answered }),
        labels,
        ...(target && { folderId: target.id, inInbox: target.isInbox }),
      })
      .where(
        inArray(
          messages.id,
          group.map(({ row }) => row.id),
        ),
      )
  }
}

function queuedOf({ row: { id, accountId }, flags, target }: Plan): readonly QueuedChange[] {
  const change = { accountId, messageId: id }
  const flagsChange = { ...change, kind: 'flags', change: flags } as const
  const move = target && ({ ...change, kind: 'move', change: { folderId: target.id } } as const)
  return [...(Object.keys(flags).length > 0 ? [flagsChange] : []), ...(move ? [move] : [])]
}

const eventsOf = ({ row, kinds }: Plan): readonly MailEvent[] =>
  kinds.map((change) => ({
    kind: 'message.updated',
    messageId: row.id,
    change,
    origin: 'svc',
  }))
