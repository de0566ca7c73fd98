import { gmailMailboxes } from '../../domain/sync/gmail.ts'
import { listFolders } from '../../domain/sync/list-folders.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import type { Mailbox, MailSession } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Prompt } from '../account-prompts.ts'
import { gmailView } from '../account-view.ts'
import type { GmailView } from '../open-folder.ts'

/** How long the sync of the account is waited for when the server lists what it has not seen yet. */
const SEEN_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 250
/** No folder has this id: for the sync it is a new one. */
const NEW_FOLDER = 0

/** The account's folders, and the mailboxes that are none of them yet. */
interface KnownFolders {
  readonly folders: readonly Folder[]
  readonly gmail: GmailView | undefined
  readonly unknownPaths: readonly string[]
}

/** What the server lists, as the store knows it: the sync alone, which is asked to look, adds and renames folders. */
export async function knownFolders(
  ctx: Needs<'store' | 'clock'>,
  {
    session,
    accountId,
    prompt,
  }: { readonly session: MailSession; readonly accountId: number; readonly prompt: Prompt },
  signal: AbortSignal,
): Promise<KnownFolders> {
  const listed = await session.listMailboxes()
  const ofGmail = session.hasGmailLabels ? gmailMailboxes(listed) : undefined
  const untilMs = ctx.clock.now().getTime() + SEEN_WITHIN_MS
  for (let isPrompted = false; ; isPrompted = true) {
    const folders = await listFolders(ctx, accountId)
    const unknownPaths = unknownOf(ofGmail ?? listed, folders)
    const isOver = signal.aborted || ctx.clock.now().getTime() >= untilMs
    if (unknownPaths.length === 0 || isOver) {
      const gmail = ofGmail && gmailView(folders)
      return { folders: stillListed(folders, listed), gmail, unknownPaths }
    }
    if (!isPrompted) prompt.now(NEW_FOLDER)
    await ctx.clock.sleep(LOOK_EVERY_MS, signal)
  }
}

function unknownOf(listed: readonly Mailbox[], folders: readonly Folder[]): readonly string[] {
  const known = new Set(folders.map(({ path }) => path))
  return listed
    .filter(({ path, selectable }) => selectable && !known.has(path))
    .map(({ path }) => path)
}

/** One that the server does not list any more has nothing that it could be asked for. */
function stillListed(folders: readonly Folder[], listed: readonly Mailbox[]): readonly Folder[] {
  const paths = new Set(listed.filter(({ selectable }) => selectable).map(({ path }) => path))
  return folders.filter(({ path }) => paths.has(path))
}
