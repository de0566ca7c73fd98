import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { Mailbox } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import {
  SPECIAL_USES,
  specialUses,
  SYNCED_SPECIAL_USES,
  type SpecialUse,
} from '../folders/special-use.ts'
import { rollBackMovesTo } from '../mailbox-changes/roll-back.ts'
import type { Folder } from './folder.ts'
import { type Lease, underLease } from './lease.ts'
import { removeMessages } from './remove-messages.ts'
import { renamedFolders } from './renamed-folders.ts'

/** A folder of the store with the mailbox it mirrors. */
export interface FolderPair {
  readonly folder: Folder
  readonly mailbox: Mailbox
}

/** What the store and the server's list do not have in common. Both may have the same path and UIDVALIDITYs of two. */
export interface FoldersDiff {
  /** Mailboxes that the store does not know under their path. */
  readonly fresh: readonly Mailbox[]
  /** Folders whose mailbox is not where it was. */
  readonly gone: readonly Folder[]
}

/** Compares the account's folders with what LIST said. */
export async function diffFolders(
  { store }: Needs<'store'>,
  accountId: number,
  mailboxes: readonly Mailbox[],
): Promise<FoldersDiff> {
  const known = await store.read.select().from(folders).where(eq(folders.accountId, accountId))
  const knownByPath = new Map(known.map((folder) => [folder.path, folder]))
  const listedByPath = new Map(mailboxes.map((mailbox) => [mailbox.path, mailbox]))
  return {
    fresh: mailboxes.filter((mailbox) => !isStill(knownByPath.get(mailbox.path), mailbox)),
    // One made here is not missing before its creation has reached the server.
    gone: known.filter(
      (folder) => folder.listed && !isStill(folder, listedByPath.get(folder.path)),
    ),
  }
}

/** Whether a mailbox with the folder's path may be the one that the folder was. */
function isStill(folder: Folder | undefined, mailbox: Mailbox | undefined): boolean {
  if (!folder || !mailbox) return false
  const { uidValidity } = mailbox.status ?? {}
  return (
    folder.uidValidity === null ||
    uidValidity === undefined ||
    folder.uidValidity === String(uidValidity)
  )
}

/**
 * Makes the account's folders those of the server: new ones are added, renamed ones keep their id and their
 * messages, roles are updated, folders that are gone removed with their messages. Returns the selectable ones in the
 * order in which they are worth syncing. Throws a `MailServerError` where the list lacks INBOX, which every account
 * has (RFC 3501 section 5.1).
 */
export async function reconcileFolders(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  mailboxes: readonly Mailbox[],
): Promise<readonly FolderPair[]> {
  const roles = specialUses(mailboxes)
  const byPath = new Map(mailboxes.map((mailbox) => [mailbox.path, mailbox]))
  await moveFolders(ctx, lease, mailboxes)
  const stored = await underLease(ctx, lease, async (tx) => {
    const known = await tx.select().from(folders).where(eq(folders.accountId, lease.accountId))
    const knownByPath = new Map(known.map((folder) => [folder.path, folder]))
    for (const mailbox of mailboxes) {
      await save(tx, lease.accountId, {
        mailbox,
        role: roles.get(mailbox.path),
        known: knownByPath.get(mailbox.path),
      })
    }
    return tx.select().from(folders).where(eq(folders.accountId, lease.accountId))
  })
  for (const folder of stored)
    if (!folder.selectable && folder.uidValidity !== null) await emptyFolder(ctx, lease, folder)
  return stored
    .flatMap((folder) => {
      const mailbox = byPath.get(folder.path)
      return mailbox?.selectable ? [{ folder, mailbox }] : []
    })
    .toSorted((a, b) => priority(a.folder.specialUse) - priority(b.folder.specialUse))
}

/** Renames folders as the server did, and removes those of which it has nothing left. */
async function moveFolders(
  ctx: RemovalPorts,
  lease: Lease,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  const { fresh, gone } = await diffFolders(ctx, lease.accountId, mailboxes)
  const renamed = renamedFolders({ gone, fresh, listed: mailboxes })
  const listed = new Set(mailboxes.map(({ path }) => path))
  const taken = new Set([...renamed.values()].map(({ path }) => path))
  // With another UIDVALIDITY and under its old path a folder is the same still.
  const removed = gone.filter(
    (folder) => !renamed.has(folder) && (!listed.has(folder.path) || taken.has(folder.path)),
  )
  if (removed.some(({ specialUse }) => specialUse === 'inbox'))
    throw new MailServerError('refused', 'The server listed no INBOX.', { retryable: true })
  for (const folder of removed) await removeFolder(ctx, lease, folder)
  await renameFolders(ctx, lease, renamed)
}

interface Listed {
  readonly mailbox: Mailbox
  readonly role: SpecialUse | undefined
  readonly known: Folder | undefined
}

async function save(tx: Tx, accountId: number, { mailbox, role, known }: Listed): Promise<void> {
  const shape = {
    delimiter: mailbox.delimiter ?? null,
    specialUse: role ?? null,
    selectable: mailbox.selectable,
    listed: true,
  }
  if (!known) {
    const synced = role !== undefined && SYNCED_SPECIAL_USES.has(role)
    await tx.insert(folders).values({ accountId, path: mailbox.path, ...shape, synced })
    return
  }
  const unchanged =
    known.delimiter === shape.delimiter &&
    known.specialUse === shape.specialUse &&
    known.selectable === shape.selectable &&
    known.listed
  if (unchanged) return
  await tx.update(folders).set(shape).where(eq(folders.id, known.id))
  const isInbox = role === 'inbox'
  if ((known.specialUse === 'inbox') !== isInbox) {
    await tx.update(messages).set({ inInbox: isInbox }).where(eq(messages.folderId, known.id))
  }
}

/** What counts as a time and is therefore never given twice, as RFC 9051 recommends for UIDVALIDITY. In seconds. */
const TIMES_FROM = 100_000_000

/** All at once, by way of names that nobody has: two folders may have changed names with each other. */
async function renameFolders(
  ctx: Needs<'store'>,
  lease: Lease,
  renamed: ReadonlyMap<Folder, Mailbox>,
): Promise<void> {
  if (renamed.size === 0) return
  await underLease(ctx, lease, async (tx) => {
    for (const { id } of renamed.keys())
      await tx
        .update(folders)
        .set({ path: `\0${id}` })
        .where(eq(folders.id, id))
    for (const [folder, { path, mailboxId }] of renamed) {
      const isCertain =
        (folder.mailboxId !== null && folder.mailboxId === mailboxId) ||
        Number(folder.uidValidity) >= TIMES_FROM
      // Of another mailbox the contents tell, as after any change of UIDVALIDITY.
      const state = isCertain ? { path } : { path, uidValidity: null }
      await tx.update(folders).set(state).where(eq(folders.id, folder.id))
    }
  })
}

type RemovalPorts = Needs<'store' | 'sourceStore' | 'clock' | 'wake'>

async function removeFolder(ctx: RemovalPorts, lease: Lease, folder: Folder): Promise<void> {
  await removeMail(ctx, lease, folder)
  await underLease(ctx, lease, (tx) => tx.delete(folders).where(eq(folders.id, folder.id)))
}

/** A mailbox that was deleted while it has others below it stays as a name (RFC 3501 section 6.3.4). */
async function emptyFolder(ctx: RemovalPorts, lease: Lease, folder: Folder): Promise<void> {
  await removeMail(ctx, lease, folder)
  const never = { uidValidity: null, uidNext: null, highestModseq: null, mailboxId: null }
  await underLease(ctx, lease, (tx) =>
    tx
      .update(folders)
      .set({ ...never, syncedDownToUid: null, firstSyncedAt: null })
      .where(eq(folders.id, folder.id)),
  )
}

/**
 * In its own steps: with the folder it would leave its contents behind. What is only shown there goes back to the
 * folder that holds it.
 */
async function removeMail(ctx: RemovalPorts, lease: Lease, folder: Folder): Promise<void> {
  await rollBackMovesTo(ctx, lease, { folderId: folder.id, reason: 'The folder is gone.' })
  await underLease(ctx, lease, (tx) =>
    tx
      .update(messages)
      .set({ folderId: sql`${messages.serverFolderId}`, inInbox: false })
      .where(and(eq(messages.folderId, folder.id), ne(messages.serverFolderId, folder.id))),
  )
  const held = ctx.store.read
    .select({ id: messages.id, uid: messages.uid })
    .from(messages)
    .where(eq(messages.serverFolderId, folder.id))
  await removeMessages(ctx, lease, { folderId: folder.id, gone: await held, isTold: false })
  // What is left was on its way to another folder, and will be found there.
  await underLease(ctx, lease, (tx) =>
    tx
      .update(messages)
      .set({ serverFolderId: null, uid: null, uidValidity: null })
      .where(eq(messages.serverFolderId, folder.id)),
  )
}

/** Folders with a role first, in their order; then the others. */
function priority(specialUse: SpecialUse | null): number {
  if (specialUse === 'trash' || specialUse === 'spam') return SPECIAL_USES.length + 1
  return specialUse === null ? SPECIAL_USES.length : SPECIAL_USES.indexOf(specialUse)
}
