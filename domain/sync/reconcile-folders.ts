import { eq, or } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import type { Mailbox } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import {
  SPECIAL_USES,
  specialUses,
  SYNCED_SPECIAL_USES,
  type SpecialUse,
} from '../folders/special-use.ts'
import type { Folder } from './folder.ts'
import { type Lease, underLease } from './lease.ts'
import { removeMessages } from './remove-messages.ts'
import { renamedFolders } from './renamed-folders.ts'

/** A folder of the store with the mailbox it mirrors. */
export interface FolderPair {
  readonly folder: Folder
  readonly mailbox: Mailbox
}

/** What the store and the server's list do not have in common. */
export interface FoldersDiff {
  /** Mailboxes that the store does not know by this path. */
  readonly fresh: readonly Mailbox[]
  /** Folders whose path the server no longer has. */
  readonly gone: readonly Folder[]
}

/** Compares the account's folders with what LIST said. */
export async function diffFolders(
  { store }: Needs<'store'>,
  accountId: number,
  mailboxes: readonly Mailbox[],
): Promise<FoldersDiff> {
  const known = await store.read.select().from(folders).where(eq(folders.accountId, accountId))
  const knownPaths = new Set(known.map(({ path }) => path))
  const listedPaths = new Set(mailboxes.map(({ path }) => path))
  return {
    fresh: mailboxes.filter(({ path }) => !knownPaths.has(path)),
    gone: known.filter(({ path }) => !listedPaths.has(path)),
  }
}

/**
 * Makes the account's folders those of the server: new ones are added, renamed ones keep their id and their
 * messages, roles are updated, folders that are gone removed with their messages. Returns the selectable ones in the
 * order in which they are worth syncing.
 */
export async function reconcileFolders(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  mailboxes: readonly Mailbox[],
): Promise<readonly FolderPair[]> {
  const roles = specialUses(mailboxes)
  const byPath = new Map(mailboxes.map((mailbox) => [mailbox.path, mailbox]))
  const { fresh, gone } = await diffFolders(ctx, lease.accountId, mailboxes)
  const renamed = renamedFolders(gone, fresh, mailboxes)
  await renameFolders(ctx, lease, renamed)
  for (const folder of gone) if (!renamed.has(folder)) await removeFolder(ctx, lease, folder)
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
  return stored
    .flatMap((folder) => {
      const mailbox = byPath.get(folder.path)
      return mailbox?.selectable ? [{ folder, mailbox }] : []
    })
    .toSorted((a, b) => priority(a.folder.specialUse) - priority(b.folder.specialUse))
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
  }
  if (!known) {
    const synced = role !== undefined && SYNCED_SPECIAL_USES.has(role)
    await tx.insert(folders).values({ accountId, path: mailbox.path, ...shape, synced })
    return
  }
  const unchanged =
    known.delimiter === shape.delimiter &&
    known.specialUse === shape.specialUse &&
    known.selectable === shape.selectable
  if (unchanged) return
  await tx.update(folders).set(shape).where(eq(folders.id, known.id))
  const isInbox = role === 'inbox'
  if ((known.specialUse === 'inbox') !== isInbox) {
    await tx.update(messages).set({ inInbox: isInbox }).where(eq(messages.folderId, known.id))
  }
}

/** All at once: two folders may have changed names with each other by way of a third. */
async function renameFolders(
  ctx: Needs<'store'>,
  lease: Lease,
  renamed: ReadonlyMap<Folder, Mailbox>,
): Promise<void> {
  if (renamed.size === 0) return
  await underLease(ctx, lease, async (tx) => {
    for (const [folder, { path }] of renamed)
      await tx.update(folders).set({ path }).where(eq(folders.id, folder.id))
  })
}

/** The mail goes first, in its own steps: with the folder it would leave its contents behind. */
async function removeFolder(
  ctx: Needs<'store' | 'sourceStore' | 'clock' | 'wake'>,
  lease: Lease,
  folder: Folder,
): Promise<void> {
  const rows = await ctx.store.read
    .select({ id: messages.id })
    .from(messages)
    .where(or(eq(messages.folderId, folder.id), eq(messages.serverFolderId, folder.id)))
  const messageIds = rows.map(({ id }) => id)
  await removeMessages(ctx, lease, { messageIds, isTold: false })
  await underLease(ctx, lease, (tx) => tx.delete(folders).where(eq(folders.id, folder.id)))
}

/** Folders with a role first, in their order; then the others. */
function priority(specialUse: SpecialUse | null): number {
  if (specialUse === 'trash' || specialUse === 'spam') return SPECIAL_USES.length + 1
  return specialUse === null ? SPECIAL_USES.length : SPECIAL_USES.indexOf(specialUse)
}
