import { type DueChange, dueChanges } from '../../domain/mailbox-changes/due.ts'
import { postponeChanges } from '../../domain/mailbox-changes/postpone.ts'
import { rollBackChanges } from '../../domain/mailbox-changes/roll-back.ts'
import { settleChanges } from '../../domain/mailbox-changes/settle.ts'
import type { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { Turn } from '../account-turns.ts'
import { publishDrafts } from './publish-drafts.ts'
import { pushExpunge } from './push-expunge.ts'
import { pushFlags } from './push-flags.ts'
import { pushFolder } from './push-folder.ts'
import { pushMoves } from './push-moves.ts'
import type { Group, PushConnection, PushLane, PushPorts } from './push-ports.ts'
import { pushSentCopies } from './push-sent-copies.ts'
import { isForGood, isRefusal } from './refusal.ts'

/** Makes the account's changes on its server, publishes its drafts, and files copies of what it has sent. Throws as all do. */
export async function pushAccount(ctx: PushPorts, lane: PushLane): Promise<void> {
  do {
    await pushChanges(ctx, lane)
    // A copy that was replaced leaves an original to be expunged.
    if (await publishDrafts(ctx, lane)) await pushChanges(ctx, lane)
  } while (await pushSentCopies(ctx, lane))
}

/**
 * Makes the account's changes on its server, in order for each message, until none can be made now. What it refuses
 * for good is rolled back. Throws a `MailServerError` where it cannot be asked.
 */
async function pushChanges(ctx: PushPorts, { lanes, lease, turn }: PushLane): Promise<void> {
  for (;;) {
    const due = await dueChanges(ctx, lease.accountId)
    if (due.length === 0) return
    const made = await lanes.use(lease.accountId, (session) =>
      pushGroups(ctx, { session, lease, turn }, groupsOf(due)),
    )
    if (!made) return
  }
}

/** What is the same for messages of one folder, in the order of the first of each. */
const groupsOf = (due: readonly DueChange[]): readonly Group[] => [
  ...Map.groupBy(due, ({ kind, change, serverFolderId, uidValidity, startedAt }) =>
    JSON.stringify([
      kind,
      kind === 'expunge' ? { ...change, uid: 0 } : change,
      serverFolderId,
      uidValidity,
      startedAt !== null,
    ]),
  ).values(),
]

type Connection = PushConnection & { readonly turn: Turn }

/** Whether any change was made or given up, so that others may have become possible. */
async function pushGroups(
  ctx: PushPorts,
  connection: Connection,
  groups: readonly Group[],
): Promise<boolean> {
  let isAnyMade = false
  for (const group of groups) {
    const isMade = await connection.turn(() => pushOrGiveUp(ctx, connection, group))
    if (isMade) isAnyMade = true
    else
      await postponeChanges(ctx, connection.lease, {
        ids: ids(group),
        reason: 'The message is being looked for on the server.',
      })
  }
  return isAnyMade
}

async function pushOrGiveUp(
  ctx: PushPorts,
  connection: Connection,
  group: Group,
): Promise<boolean> {
  try {
    return await push(ctx, connection, group)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // What is refused for many may be refused for one of them.
    if (group.length > 1) {
      for (const change of group) await pushOrGiveUp(ctx, connection, [change])
      return true
    }
    return giveUp(ctx, connection, { group, error })
  }
}

/** Whether the changes were made; false while they cannot be. */
async function push(ctx: PushPorts, connection: Connection, group: Group): Promise<boolean> {
  const [first] = group
  const isMessageGone = first?.messageId != null && first.serverFlags === null
  if (first?.kind === 'flags' && !isMessageGone) return pushFlags(ctx, connection, group)
  if (first?.kind === 'move' && !isMessageGone) return pushMoves(ctx, connection, group)
  if (isMessageGone) await settleChanges(ctx, connection.lease, ids(group))
  else if (first?.kind === 'expunge') await pushExpunge(ctx, connection, group)
  else for (const change of group) await pushFolder(ctx, connection, change)
  return true
}

const ids = (group: Group) => group.map(({ id }) => id)

async function giveUp(
  ctx: PushPorts,
  { lease }: PushConnection,
  { group, error }: { readonly group: Group; readonly error: MailServerError },
): Promise<boolean> {
  const [change] = group
  const reason = error.message
  const attempts = change?.attempts ?? 0
  if (!change || !isForGood(error, attempts)) {
    await postponeChanges(ctx, lease, { ids: ids(group), reason })
    return true
  }
  ctx.logger.warn('The mail server refused a change.', {
    accountId: lease.accountId,
    answer: reason,
  })
  await rollBackChanges(ctx, lease, { ids: ids(group), reason })
  return true
}
