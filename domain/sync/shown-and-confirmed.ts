import { messages } from '../../db/schema/messages.ts'
import { shownAfter, shownFlags, type ShownFlags } from '../messages/flags.ts'
import { NOTHING_PENDING, type PendingChange } from '../mailbox-changes/pending.ts'
import { labelsWithout, unitedLabels } from '../messages/labels.ts'
import { type GmailFolders, showingFolder, userLabels } from './gmail.ts'

/** The columns that deciding about new server flags needs. */
export const SHOWN_AND_CONFIRMED = {
  id: messages.id,
  contentId: messages.contentId,
  folderId: messages.folderId,
  serverFolderId: messages.serverFolderId,
  uid: messages.uid,
  serverFlags: messages.serverFlags,
  serverLabels: messages.serverLabels,
  read: messages.read,
  starred: messages.starred,
  answered: messages.answered,
  labels: messages.labels,
}

type ShownAndConfirmed = Pick<
  typeof messages.$inferSelect,
  Exclude<keyof typeof SHOWN_AND_CONFIRMED, 'id' | 'uid' | 'contentId'>
>

/** The folder that holds a message on the server. */
export interface HoldingFolder {
  readonly id: number
  readonly isInbox: boolean
  readonly isSent: boolean
  /** Where labels decide what shows a message. */
  readonly gmail: GmailFolders | undefined
}

interface Fetched {
  readonly flags: readonly string[]
  /** X-GM-LABELS; undefined where the server has none. */
  readonly gmailLabels?: readonly string[] | undefined
}

interface Shown extends ShownFlags {
  readonly folderId?: number
  readonly inInbox?: boolean
}

/** What is shown of a message that is new here, and where. */
export function shownNew({ flags, gmailLabels = [] }: Fetched, folder: HoldingFolder) {
  const shown = shownFlags(flags)
  const folderId = showingFolderId(gmailLabels, folder)
  const labels = unitedLabels(shown.labels, userLabels(gmailLabels))
  return { ...shown, labels, folderId, inInbox: isInbox(folderId, folder) }
}

/** What a server says of a message that is known, and what was changed of it here. */
interface Known {
  readonly row: ShownAndConfirmed
  readonly fetched: Fetched
  readonly pending: PendingChange | undefined
}

/** What is shown of a message after the server, which holds it in `folder` now, said this of it. */
export function shownAfterServer(
  { row, fetched: { flags, gmailLabels = [] }, pending = NOTHING_PENDING }: Known,
  folder: HoldingFolder,
): Shown {
  const shown = shownAfter(row, { before: row.serverFlags, after: flags }, pending)
  const added = labelsWithout(userLabels(gmailLabels), pending.labelsRemoved)
  const labels = unitedLabels(shown.labels, added)
  const heldIn = { ...folder, id: row.serverFolderId ?? folder.id }
  const before = showingFolderId(row.serverLabels ?? [], heldIn)
  const after = showingFolderId(gmailLabels, folder)
  if (pending.moved || before === after) return { ...shown, labels }
  return { ...shown, labels, folderId: after, inInbox: isInbox(after, folder) }
}

const showingFolderId = (labels: readonly string[], { id, gmail }: HoldingFolder) =>
  gmail ? showingFolder(labels, { holding: id, gmail }) : id

const isInbox = (folderId: number, folder: HoldingFolder) =>
  folder.gmail ? folderId === folder.gmail.inbox : folder.isInbox

/** What it is called when a new message is shown in the folder `folderId`; undefined where nobody is told. */
export function arrivalKind(
  folderId: number,
  folder: HoldingFolder,
): 'message.received' | 'message.sent' | undefined {
  const { gmail } = folder
  if (isInbox(folderId, folder)) return 'message.received'
  return (gmail ? folderId === gmail.sent : folder.isSent) ? 'message.sent' : undefined
}
