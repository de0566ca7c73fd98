import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { type Unit, unitOfWork } from '../unit-of-work.ts'
import type { Changeable } from './apply-change.ts'
import {
  changeable,
  changeOfAccount,
  type ChangePorts,
  checkedChange,
  wakeReaders,
  type WantedChange,
} from './change.ts'

/** How many messages one request may change. */
export const CHANGED_AT_ONCE_MAX = 1_000
/** So few that nothing else waits longer than 20 ms for them. */
const CHANGED_IN_ONE_GO = 25

/** What became of one of many messages: the folder it is in now, or why nothing was changed of it. */
export type ChangeResult =
  | { readonly messageId: number; readonly folderId: number }
  | { readonly messageId: number; readonly error: DomainError }

/**
 * The same change for many messages, in one transaction, answered in their order: what cannot be changed keeps nothing
 * else from it. Throws `invalid_request` for more than a thousand, and for a label that cannot be.
 */
export async function changeMessages(
  ctx: ChangePorts,
  { messageIds, change }: { readonly messageIds: readonly number[]; readonly change: WantedChange },
): Promise<readonly ChangeResult[]> {
  if (messageIds.length > CHANGED_AT_ONCE_MAX)
    throw invalidRequest(`One request changes at most ${CHANGED_AT_ONCE_MAX} messages.`)
  const checked = checkedChange(change)
  const ids = [...new Set(messageIds)]
  const results = new Map<number, ChangeResult>()
  await unitOfWork(ctx, async (unit) => {
    for (let start = 0; start < ids.length; start += CHANGED_IN_ONE_GO) {
      const some = ids.slice(start, start + CHANGED_IN_ONE_GO)
      for (const result of await changeSome(ctx, unit, { ids: some, change: checked }))
        results.set(result.messageId, result)
      await ctx.clock.sleep(0)
    }
  })
  wakeReaders(ctx)
  return messageIds.map(
    (messageId) => results.get(messageId) ?? { messageId, error: notFound('message', messageId) },
  )
}

async function changeSome(
  ctx: ChangePorts,
  unit: Unit,
  { ids, change }: { readonly ids: readonly number[]; readonly change: WantedChange },
): Promise<readonly ChangeResult[]> {
  const byAccount = Map.groupBy(await changeable(unit.tx, ids), ({ accountId }) => accountId)
  const refused = new Map<number, DomainError>()
  for (const [accountId, rows] of byAccount) {
    try {
      await changeOfAccount(ctx, unit, { rows, change })
    } catch (error) {
      // Thrown before anything was written.
      if (!(error instanceof DomainError)) throw error
      refused.set(accountId, error)
    }
  }
  return (await changeable(unit.tx, ids)).map((row) => resultOf(row, refused.get(row.accountId)))
}

const resultOf = ({ id, folderId }: Changeable, error: DomainError | undefined): ChangeResult =>
  error ? { messageId: id, error } : { messageId: id, folderId }
