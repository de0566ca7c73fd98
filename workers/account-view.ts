import { gmailFolders, gmailMailboxes, holdsGmail } from '../domain/sync/gmail.ts'
import type { Folder } from '../domain/sync/folder.ts'
import { diffFolders, type FolderPair, reconcileFolders } from '../domain/sync/reconcile-folders.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { Mailbox, MailSession } from '../runtime/ports/mail-server.ts'
import type { AccountConnection, GmailView, SyncPorts } from './open-folder.ts'

/** The account's folders, and which of them are synced how. */
export interface AccountView {
  readonly connection: AccountConnection
  /** The folders whose mailboxes are synced, in the order in which they are worth it. */
  readonly pairs: readonly FolderPair[]
  /** Where mail arrives: idled on, and the account is not in sync without it. */
  readonly primary: Folder | undefined
  /** What else is looked at all the time. */
  readonly continuous: readonly Folder[]
}

/** Makes the account's folders those of its server, and says how each is synced. */
export async function viewAccount(
  ctx: SyncPorts,
  connection: AccountConnection,
): Promise<AccountView> {
  const listed = await connection.session.listMailboxes()
  const ofGmail = connection.session.hasGmailLabels ? gmailMailboxes(listed) : undefined
  const mailboxes = await withMailboxIds(ctx, connection, ofGmail ?? listed)
  const pairs = await reconcileFolders(ctx, connection.lease, mailboxes)
  const folders = pairs.map(({ folder }) => folder)
  const gmail = ofGmail && gmailView(folders)
  const synced = gmail ? pairs.filter(({ folder }) => holdsGmail(folder)) : pairs
  const role = gmail ? 'archive' : 'inbox'
  const primary = folders.find(({ specialUse }) => specialUse === role)
  return {
    connection: { ...connection, gmail },
    pairs: synced,
    primary,
    continuous: synced.flatMap(({ folder }) =>
      folder.id !== primary?.id && (gmail !== undefined || folder.synced) ? [folder] : [],
    ),
  }
}

/** What is special about an account whose folders are these, where that is Gmail. */
export function gmailView(folders: readonly Folder[]): GmailView | undefined {
  const ids = gmailFolders(folders)
  return ids && { folders: ids, holding: folders.filter(holdsGmail) }
}

/** Where some mailboxes may only have new names: with the ids that tell (RFC 8474). */
async function withMailboxIds(
  ctx: SyncPorts,
  { session, lease }: AccountConnection,
  listed: readonly Mailbox[],
): Promise<readonly Mailbox[]> {
  const { fresh, gone } = await diffFolders(ctx, lease.accountId, listed)
  if (gone.every(({ mailboxId }) => mailboxId === null)) return listed
  const ids = new Map<string, string>()
  for (const { path, selectable } of fresh) {
    const mailboxId = selectable ? await mailboxIdOf(session, path) : undefined
    if (mailboxId !== undefined) ids.set(path, mailboxId)
  }
  return listed.map((mailbox) => {
    const mailboxId = ids.get(mailbox.path)
    return mailboxId === undefined ? mailbox : { ...mailbox, mailboxId }
  })
}

async function mailboxIdOf(session: MailSession, path: string): Promise<string | undefined> {
  try {
    return (await session.select(path)).mailboxId
  } catch (error) {
    // One that nobody may open is a new folder like any other.
    if (error instanceof MailServerError && error.kind === 'refused') return undefined
    throw error
  }
}
