import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contents } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { isNotRemoved } from '../accounts/not-removed.ts'
import { invalidRequest, notFound } from '../errors.ts'
import { findTarget, type MoveTarget } from '../folders/find-target.ts'
import { folderOfRole, type MadeRole } from '../folders/folder-of-role.ts'
import { type Unit, unitOfWork } from '../unit-of-work.ts'
import { applyChange, CHANGEABLE, type Changeable } from './apply-change.ts'
import { type ChangeSet, checkedChangeSet } from './change-set.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

export type ChangePorts = Needs<'store' | 'clock' | 'wake'>

/** What is asked for: single changes, or a place by its role. */
export type WantedChange = ChangeSet | { readonly moveTo: MadeRole }

/**
 * Changes a message here, durably and with its events, and queues the change for its server. Throws `not_found`, and
 * `invalid_request` for a label or a folder that cannot be.
 */
export async function changeMessage(
  ctx: ChangePorts,
  { messageId, change }: { readonly messageId: number; readonly change: WantedChange },
): Promise<MessageRow> {
  const checked = checkedChange(change)
  const row = await unitOfWork(ctx, async (unit) => {
    const [found] = await changeable(unit.tx, [messageId])
    if (!found) throw notFound('message', messageId)
    await changeOfAccount(ctx, unit, { rows: [found], change: checked })
    return messageRow(unit.tx, messageId)
  })
  wakeReaders(ctx)
  return row
}

/** Who has to learn of a change: whoever shows mail, and whoever tells the servers. */
export function wakeReaders({ wake }: Needs<'wake'>): void {
  wake.now('changes')
  wake.now('mailbox_changes')
}

/** The change with its labels checked; throws `invalid_request`. */
export const checkedChange = (change: WantedChange): WantedChange =>
  'moveTo' in change ? change : checkedChangeSet(change)

/** The messages with these ids that there are, as they are shown. */
export const changeable = (tx: Tx, ids: readonly number[]): Promise<Changeable[]> =>
  tx
    .select(CHANGEABLE)
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(and(inArray(messages.id, [...ids]), isNotRemoved))

interface AccountChange {
  /** Of one account, at least one. */
  readonly rows: readonly Changeable[]
  readonly change: WantedChange
}

/** Changes messages of one account. Throws `invalid_request` where it has no such folder. */
export async function changeOfAccount(
  { clock }: Needs<'clock'>,
  unit: Unit,
  { rows, change }: AccountChange,
): Promise<void> {
  const [{ accountId } = { accountId: 0 }] = rows
  const nowMs = clock.now().getTime()
  if ('moveTo' in change) {
    const id = await folderOfRole(unit.tx, { accountId, role: change.moveTo, nowMs })
    return applyChange(unit, rows, { change: { target: { id, isInbox: false } }, nowMs })
  }
  const { folderId, ...flags } = change
  const target = folderId === undefined ? undefined : await targetOf(unit.tx, accountId, folderId)
  await applyChange(unit, rows, { change: { ...flags, target }, nowMs })
}

async function targetOf(tx: Tx, accountId: number, folderId: number): Promise<MoveTarget> {
  const target = await findTarget(tx, accountId, folderId)
  if (!target) throw invalidRequest(`The account has no folder ${folderId} that can hold mail.`)
  return target
}

async function messageRow(tx: Tx, messageId: number): Promise<MessageRow> {
  const [row] = await tx
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .where(eq(messages.id, messageId))
  if (!row) throw notFound('message', messageId)
  return row
}
