import type { Folder } from '../domain/sync/folder.ts'
import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import { BACKLOG_SLICE_MESSAGES, fetchBacklog } from './folder-backlog.ts'
import { type Depth, refreshFolder } from './folder-refresh.ts'
import {
  type AccountConnection,
  openFolder,
  type OpenFolder,
  type SyncPorts,
} from './open-folder.ts'

/** Opens the folder and brings it all the way up to its mailbox: what a first sync left, then what is new. */
export async function syncFolder(
  ctx: SyncPorts,
  connection: AccountConnection,
  { folder, depth }: { folder: Pick<Folder, 'id' | 'path'>; depth: Depth },
): Promise<OpenFolder> {
  const open = await openFolder(ctx, connection, folder)
  while (!(await fetchBacklog(ctx, open, BACKLOG_SLICE_MESSAGES)))
    await refreshFolder(ctx, open, depth)
  await refreshFolder(ctx, open, depth)
  return open
}

interface AllowedWork {
  readonly connection: AccountConnection
  readonly folder: Folder
  readonly primary: Folder | undefined
}

/**
 * Does `work` on a folder; one that the server refuses, or that has ended connections, is passed over, and the log
 * says so. Throws what the server said of the primary one.
 */
export async function whereAllowed(
  ctx: SyncPorts,
  { connection: { troubles }, folder, primary }: AllowedWork,
  work: () => Promise<unknown>,
): Promise<void> {
  // Without it an account is not in sync, and the next attempt has to wait longer.
  const isPrimary = folder.id === primary?.id
  if (!isPrimary && troubles.endsConnections(folder.id)) {
    ctx.logger.warn('A folder that ends connections is passed over.', { folderId: folder.id })
    return
  }
  try {
    await work()
    troubles.opened(folder.id)
  } catch (error) {
    const isRefused = error instanceof MailServerError && error.kind === 'refused'
    if (!isRefused || isPrimary) throw error
    troubles.refused(folder.id)
    ctx.logger.warn('The server refused a folder.', { folderId: folder.id, answer: error.message })
  }
}
