import { beginFolderSync, getFolder, saveFolderState } from '../domain/sync/folder-state.ts'
import type { GmailFolders } from '../domain/sync/gmail.ts'
import type { Lease } from '../domain/sync/lease.ts'
import type { Folder } from '../domain/sync/folder.ts'
import type { HoldingFolder } from '../domain/sync/shown-and-confirmed.ts'
import type { MailSession, SelectedMailbox } from '../runtime/ports/mail-server.ts'
import type { Needs } from '../runtime/ports/runtime.ts'
import type { Turn } from './account-turns.ts'
import type { FolderTroubles } from './folder-troubles.ts'
import type { Intake } from './take-in.ts'

/** What syncing needs. */
export type SyncPorts = Needs<
  'store' | 'sourceStore' | 'sourceIntake' | 'clock' | 'wake' | 'logger' | 'metrics' | 'config'
>

/** A connection to the account's server, and what the first syncs of its folders have still to fetch. */
export interface AccountConnection {
  readonly session: MailSession
  readonly lease: Lease
  /** Does `work` while nobody else compares or changes flags of the account. */
  readonly turn: Turn
  /** On Gmail, once the folders are known. */
  readonly gmail?: GmailView | undefined
  /** Known also of earlier connections. */
  readonly troubles: FolderTroubles
  /** By folder id: UIDs not fetched yet, oldest first. */
  readonly backlogs: Map<number, readonly number[]>
  /** By folder id: how many messages there were when the server would not give all that it counted, until it is asked again. */
  readonly undelivered: Map<number, Counted>
}

/** How many messages there are of a folder. */
export interface Counted {
  readonly onServer: number
  readonly here: number
}

/** What is special about a Gmail account. */
export interface GmailView {
  readonly folders: GmailFolders
  /** All Mail, Spam and Trash, between which messages move. */
  readonly holding: readonly Folder[]
}

/** A folder whose mailbox is open on the connection. */
export interface OpenFolder extends AccountConnection {
  readonly selected: SelectedMailbox
  folder: Folder
}

/** Opens the folder's mailbox and begins its first sync where it had none under this UIDVALIDITY. */
export async function openFolder(
  ctx: SyncPorts,
  connection: AccountConnection,
  { id, path }: Pick<Folder, 'id' | 'path'>,
): Promise<OpenFolder> {
  const selected = await connection.troubles.whileOpening(id, () => connection.session.select(path))
  const folder = await getFolder(ctx, id)
  if (folder.uidValidity === String(selected.uidValidity))
    return { ...connection, selected, folder: withoutFutureModseq(folder, selected) }
  connection.backlogs.delete(id)
  return {
    ...connection,
    selected,
    folder: await beginFolderSync(ctx, connection.lease, { folder, selected }),
  }
}

/** A server that was restored from a backup counts anew: what we know of its mod-sequences says nothing. */
function withoutFutureModseq(folder: Folder, { highestModseq }: SelectedMailbox): Folder {
  const isFuture =
    folder.highestModseq !== null &&
    highestModseq !== undefined &&
    BigInt(folder.highestModseq) > highestModseq
  return isFuture ? { ...folder, highestModseq: null } : folder
}

/** Saves where the sync of the open folder stands; nothing where it stands there already. */
export async function saveState(
  ctx: SyncPorts,
  open: OpenFolder,
  state: Partial<Folder>,
): Promise<void> {
  const isSame = Object.entries(state).every(
    ([column, value]) => open.folder[column as keyof Folder] === value,
  )
  if (!isSame) await saveFolderState(ctx, open.lease, { folder: open.folder, state })
  open.folder = { ...open.folder, ...state }
}

/** The open folder as what holds its messages. */
export const holdingFolder = ({
  folder,
  gmail,
}: Pick<OpenFolder, 'folder' | 'gmail'>): HoldingFolder => ({
  id: folder.id,
  isInbox: folder.specialUse === 'inbox',
  isSent: folder.specialUse === 'sent',
  gmail: gmail?.folders,
})

/** What is there during a first sync, and after a change of UIDVALIDITY, is no news. */
export const isPastFirstSync = ({ firstSyncedAt, syncedDownToUid }: Folder): boolean =>
  firstSyncedAt !== null && syncedDownToUid === 0

type OpenForIntake = Pick<OpenFolder, 'session' | 'lease' | 'folder' | 'gmail' | 'selected'>

/** What messages of the open folder are taken into. */
export const intakeOf = (open: OpenForIntake): Intake => ({
  session: open.session,
  lease: open.lease,
  folder: {
    ...holdingFolder(open),
    isDrafts: open.folder.specialUse === 'drafts',
    uidValidity: open.selected.uidValidity,
    isTold: isPastFirstSync(open.folder),
    areChangesTold: isPastFirstSync(open.folder) && open.selected.highestModseq !== undefined,
  },
})
