import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { mailboxChanges } from '../../db/schema/mailbox-changes.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { MoveTarget } from '../folders/find-target.ts'
import { type Change, showChange } from '../messages/apply-change.ts'
import { shownFlags } from '../messages/flags.ts'
import { labelsWithout, unitedLabels } from '../messages/labels.ts'
import { leaveNotice } from '../notices/leave.ts'
import type { Folder } from '../sync/folder.ts'
import { gmailFolders, showingFolder, userLabels } from '../sync/gmail.ts'
import { type Lease, unitUnderLease } from '../sync/lease.ts'
import type { Unit } from '../unit-of-work.ts'
import { NOTHING_PENDING, pendingChanges } from './pending.ts'

interface Refused {
  /** The queued changes. */
  readonly ids: readonly number[]
  /** In the words of the server. */
  readonly reason: string
}

/**
 * Shows again what the server has of messages whose changes it refused for good, unless a later change of the same is
 * pending; tells of it, and leaves a notice (contract section 3).
 */
export const rollBackChanges = (ctx: RollBackPorts, lease: Lease, { ids, reason }: Refused) =>
  rollBack(ctx, lease, { which: inArray(mailboxChanges.id, [...ids]), reason })

/** The same for all moves to a folder that is gone. */
export const rollBackMovesTo = (
  ctx: RollBackPorts,
  lease: Lease,
  { folderId, reason }: { readonly folderId: number; readonly reason: string },
) => rollBack(ctx, lease, { which: isMoveTo([folderId]), reason })

type RollBackPorts = Needs<'store' | 'clock' | 'wake'>

async function rollBack(
  ctx: RollBackPorts,
  lease: Lease,
  { which, reason }: { readonly which: SQL | undefined; readonly reason: string },
): Promise<void> {
  const createdAt = ctx.clock.now().getTime()
  await unitUnderLease(ctx, lease, async (unit) => {
    const refused = await takeBack(unit.tx, which)
    const unmade = refused.flatMap(unmadeFolder)
    // Whoever moved something there since then is refused, too: what is shown there would go with the folder.
    const followers = await takeBack(unit.tx, isMoveTo(unmade))
    for (const change of [...refused, ...followers]) {
      const message =
        change.messageId === null ? undefined : await readMessage(unit.tx, change.messageId)
      if (!message) continue
      await showConfirmed(unit, message, change)
      const { accountId, messageId } = change
      const text = `The mail server refused to ${WORDS[change.kind]} "${message.subject}": ${reason}`
      await leaveNotice(unit.tx, { accountId, messageId, kind: 'change_refused', text, createdAt })
    }
    if (unmade.length > 0) await unit.tx.delete(folders).where(inArray(folders.id, unmade))
  })
  ctx.wake.now('changes')
}

/** Takes changes out of the queue, in its order. */
const takeBack = async (tx: Tx, which: SQL | undefined): Promise<readonly Queued[]> =>
  (await tx.delete(mailboxChanges).where(which).returning()).toSorted((a, b) => a.id - b.id)

const unmadeFolder = ({ kind, change }: Queued): readonly number[] =>
  kind === 'create_folder' && 'folderId' in change ? [change.folderId] : []

const isMoveTo = (folderIds: readonly number[]) =>
  and(
    eq(mailboxChanges.kind, 'move'),
    inArray(
      mailboxChanges.change,
      folderIds.map((folderId) => ({ folderId })),
    ),
  )

const WORDS = {
  flags: 'change',
  move: 'move',
  create_folder: 'make a folder for',
  expunge: 'remove',
} as const

type Queued = typeof mailboxChanges.$inferSelect
type Message = NonNullable<Awaited<ReturnType<typeof readMessage>>>

async function readMessage(tx: Tx, messageId: number) {
  const [row] = await tx
    .select({ message: messages, subject: contents.subject })
    .from(messages)
    .innerJoin(contents, eq(contents.id, messages.contentId))
    .where(eq(messages.id, messageId))
  return row && { ...row.message, subject: row.subject }
}

async function showConfirmed(unit: Unit, message: Message, refused: Queued): Promise<void> {
  const pending = (await pendingChanges(unit.tx, [message.id])).get(message.id) ?? NOTHING_PENDING
  const { change } = refused
  const server = shownFlags(message.serverFlags)
  const confirmed = unitedLabels(server.labels, userLabels(message.serverLabels ?? []))
  const added = 'labelsAdded' in change ? (change.labelsAdded ?? []) : []
  const removed = 'labelsRemoved' in change ? (change.labelsRemoved ?? []) : []
  const back: Change = {
    ...('read' in change && !pending.read && { read: server.read }),
    ...('starred' in change && !pending.starred && { starred: server.starred }),
    ...('answered' in change && !pending.answered && { answered: server.answered }),
    labelsAdd: labelsWithout(
      removed.filter((label) => labelsWithout([label], confirmed).length === 0),
      pending.labelsRemoved,
    ),
    labelsRemove: labelsWithout(added, [...confirmed, ...pending.labelsAdded]),
    ...(refused.kind === 'move' && { target: await placeOf(unit.tx, message, pending.movedTo) }),
  }
  await showChange(unit, [message], back)
}

/** The folder that another pending move is to, else the one that shows the message as the server has it. */
async function placeOf(
  tx: Tx,
  message: Message,
  movedTo: number | undefined,
): Promise<MoveTarget | undefined> {
  const known = await tx.select().from(folders).where(eq(folders.accountId, message.accountId))
  const id = movedTo ?? heldIn(message, known)
  const folder = known.find((candidate) => candidate.id === id)
  return folder && { id: folder.id, isInbox: folder.specialUse === 'inbox' }
}

function heldIn({ serverFolderId: holding, serverLabels }: Message, known: readonly Folder[]) {
  const gmail = serverLabels && gmailFolders(known)
  return gmail && holding !== null ? showingFolder(serverLabels, { holding, gmail }) : holding
}
