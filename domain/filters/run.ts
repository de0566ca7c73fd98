import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { filters } from '../../db/schema/filters.ts'
import { forwards } from '../../db/schema/forwards.ts'
import { messages } from '../../db/schema/messages.ts'
import { findTarget, type MoveTarget } from '../folders/find-target.ts'
import { folderOfRole } from '../folders/folder-of-role.ts'
import { applyChange, CHANGEABLE } from '../messages/apply-change.ts'
import { leaveNotice } from '../notices/leave.ts'
import type { Unit } from '../unit-of-work.ts'
import type { DueAction } from './actions-of.ts'
import { mayNotBeForwarded } from './forwarded.ts'

/** A message that has just arrived in an inbox, and what the rules want done with it. */
export interface FilteredArrival {
  readonly accountId: number
  readonly messageId: number
  readonly sourceHash: string
  readonly subject: string
  readonly headersRaw: Uint8Array
  readonly actions: readonly DueAction[]
}

/** Does what the rules want, in the transaction of the arrival: once, or not at all. `nowMs` is milliseconds UTC. */
export async function runFilters(
  unit: Unit,
  arrival: FilteredArrival,
  nowMs: number,
): Promise<void> {
  const { actions, messageId } = arrival
  const [row] = await unit.tx.select(CHANGEABLE).from(messages).where(eq(messages.id, messageId))
  if (!row || actions.length === 0) return
  const has = (type: DueAction['type']) => actions.some((action) => action.type === type)
  const change = {
    ...(has('mark_read') && { read: true }),
    ...(has('star') && { starred: true }),
    labelsAdd: actions.flatMap((action) => (action.type === 'label' ? [action.arg] : [])),
    target: await targetOf(unit, arrival, nowMs),
  }
  await applyChange(unit, [row], { change, nowMs })
  for (const action of actions) {
    if (action.type === 'forward') await forward(unit.tx, arrival, { ...action, nowMs })
    if (action.type === 'notify') await notify(unit.tx, arrival, { ...action, nowMs })
  }
}

/** Where the message goes: `actionsOf` gives one place at most. A folder that is gone moves nothing. */
async function targetOf(
  { tx }: Unit,
  { accountId, actions, messageId, subject }: FilteredArrival,
  nowMs: number,
): Promise<MoveTarget | undefined> {
  for (const action of actions) {
    if (action.type === 'delete')
      return { id: await folderOfRole(tx, { accountId, role: 'trash', nowMs }), isInbox: false }
    if (action.type !== 'move') continue
    const target = await findTarget(tx, accountId, action.arg)
    if (target) return target
    const text = `"${subject}" was not moved: the folder that ${await ruleName(tx, action)} names is gone.`
    const kind = 'change_refused'
    await leaveNotice(tx, { accountId, messageId, kind, text, createdAt: nowMs })
  }
  return undefined
}

interface At {
  readonly nowMs: number
}

/** Never to the account itself, and never what has been forwarded or has come back: none would ever end. */
async function forward(
  tx: Tx,
  { accountId, messageId, sourceHash, headersRaw }: FilteredArrival,
  { arg: address, filterId, nowMs }: Extract<DueAction, { type: 'forward' | 'label' }> & At,
): Promise<void> {
  const [account] = await tx
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const isOwn = account?.email.toLowerCase() === address.toLowerCase()
  if (isOwn || mayNotBeForwarded(headersRaw)) return
  await tx
    .insert(forwards)
    .values({ accountId, messageId, sourceHash, address, filterId, createdAt: nowMs })
}

async function notify(
  tx: Tx,
  { accountId, messageId, subject }: FilteredArrival,
  action: DueAction & At,
): Promise<void> {
  const text = `"${subject}" matched ${await ruleName(tx, action)}.`
  const createdAt = action.nowMs
  await leaveNotice(tx, { accountId, messageId, kind: 'filter_matched', text, createdAt })
}

async function ruleName(tx: Tx, { filterId }: DueAction): Promise<string> {
  const [rule] = await tx
    .select({ name: filters.name })
    .from(filters)
    .where(eq(filters.id, filterId))
  return rule?.name ? `the rule "${rule.name}"` : `rule ${filterId}`
}
