import { missingUids } from '../../domain/search/deep/missing-uids.ts'
import type { SearchTarget } from '../../domain/search/deep/targets.ts'
import { withSameUids } from '../../domain/sync/begin-unopened.ts'
import type { Lease } from '../../domain/sync/lease.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { type GmailView, intakeOf } from '../open-folder.ts'
import { takeIn } from '../take-in.ts'

type Ports = Needs<'store' | 'clock' | 'wake' | 'sourceStore' | 'sourceIntake' | 'metrics'>

/** A connection on which an account is searched. */
export interface SearchConnection {
  readonly session: MailSession
  readonly lease: Lease
  readonly gmail: GmailView | undefined
}

/** What became of the search of a folder: its answer counts if it was searched, whatever went wrong then. */
export interface FolderOutcome {
  readonly isSearched: boolean
  /** In words for people, to follow the name of the folder. */
  readonly warning?: string
  /** Then the session is dead. */
  readonly isConnectionLost?: boolean
}

/**
 * Searches a folder's mailbox and stores the hits that are not here, the newest first, `hitsMax` at most. Throws a
 * `MailServerError` where there is no answer.
 */
export async function searchFolder(
  ctx: Ports,
  connection: SearchConnection,
  { target, hitsMax }: { readonly target: SearchTarget; readonly hitsMax: number },
): Promise<FolderOutcome> {
  const { session, lease } = connection
  const { folder, criterion } = target
  const selected = await session.select(folder.path)
  const stored = await withSameUids(ctx, lease, { folderId: folder.id, selected })
  if (!stored)
    return { isSearched: false, warning: 'the server has numbered its messages anew; try again.' }
  const uids = await session.search(criterion)
  const missing = await missingUids(ctx, folder.id, { uids, countMax: hitsMax + 1 })
  if (missing.length === 0) return { isSearched: true }
  try {
    const intake = intakeOf({ ...connection, selected, folder: stored })
    await takeIn(ctx, intake, missing.slice(0, hitsMax))
  } catch (error) {
    if (!(error instanceof MailServerError)) throw error
    return {
      isSearched: true,
      warning: `not all that was found could be fetched: ${error.message}`,
      isConnectionLost: error.kind === 'unreachable',
    }
  } finally {
    ctx.wake.now('changes')
  }
  if (missing.length <= hitsMax) return { isSearched: true }
  return {
    isSearched: true,
    warning: `only the newest ${hitsMax} of the messages found there that were not stored here yet were fetched.`,
  }
}
