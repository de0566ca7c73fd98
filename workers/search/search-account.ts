import { connectImap } from '../../domain/accounts/connect-imap.ts'
import {
  type AccountSearch,
  type SearchTarget,
  searchTargets,
} from '../../domain/search/deep/targets.ts'
import { readSearchNames } from '../../domain/search/resolve-names.ts'
import type { Lease } from '../../domain/sync/lease.ts'
import { withDeadline } from '../../domain/wait.ts'
import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { MailSession } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import type { Prompt } from '../account-prompts.ts'
import { knownFolders } from './known-folders.ts'
import type { PartRecord } from './part-progress.ts'
import { type FolderOutcome, type SearchConnection, searchFolder } from './search-folder.ts'

export type SearchPorts = Needs<
  | 'store'
  | 'clock'
  | 'wake'
  | 'sourceStore'
  | 'sourceIntake'
  | 'metrics'
  | 'mailServer'
  | 'secretBox'
  | 'outbound'
  | 'transcripts'
  | 'logger'
>

/** How far a search goes. */
export interface SearchLimits {
  readonly folderMs: number
  readonly accountMs: number
  /** How many messages that are not stored yet are fetched of a folder. */
  readonly hitsPerFolder: number
}

/** A server that ends so many connections while it is searched is not searched any further. */
const LOST_CONNECTIONS_MAX = 3

export interface SearchedAccount {
  readonly lease: Lease
  /** The name of the account. */
  readonly name: string
  readonly search: AccountSearch
  readonly record: PartRecord
  readonly prompt: Prompt
  readonly limits: SearchLimits
}

/**
 * Searches all folders of an account in which something can be found, on a connection of its own, and stores what is
 * found. What fails becomes a warning. Whoever broke off before is gone on after. Throws `LeaseLost`, `SearchDropped`,
 * and a `MailServerError` where the account's server cannot be asked at all.
 */
export async function searchAccount(
  ctx: SearchPorts,
  searched: SearchedAccount,
  signal: AbortSignal,
): Promise<void> {
  const { lease, name, search, record, prompt } = searched
  const { accountId } = lease
  const connection = lane(ctx, accountId, signal)
  try {
    const session = await connection.session()
    if (!session) return
    const found = await knownFolders(ctx, { session, accountId, prompt }, signal)
    // Folders that are new may be what was named.
    const names = await readSearchNames(ctx, search.expression, () => {})
    const targets = searchTargets({ ...search, names }, { ...found, gmail: found.gmail?.folders })
    for (const path of found.unknownPaths)
      record.warn(`${folderName(name, path)}: it is new on the server; try again in a moment.`)
    await record.counted(targets.length)
    for (const target of targets.filter((one) => !record.isDone(one))) {
      const current = await connection.session()
      if (!current) return
      const open = { session: current, lease, gmail: found.gmail }
      const isLost = await searchOne(ctx, { ...searched, open, target }, signal)
      if (isLost) await connection.drop()
    }
  } finally {
    await connection.drop()
  }
}

interface OneFolder extends SearchedAccount {
  readonly open: SearchConnection
  readonly target: SearchTarget
}

/** Within its time: a server cannot be told to stop, so the connection is ended then. Whether it has ended. */
async function searchOne(
  ctx: SearchPorts,
  { open, target, name, record, limits }: OneFolder,
  signal: AbortSignal,
): Promise<boolean> {
  const of = folderName(name, target.folder.path)
  const { outcome, isLate } = await answerWithin(ctx, { open, target, limits }, signal)
  // What was begun then is begun again, by whoever goes on.
  if (signal.aborted) return true
  const { isSearched, isConnectionLost = false } = outcome
  const warning = isLate
    ? `it took longer than ${limits.folderMs / 1_000} seconds.`
    : outcome.warning
  const said = warning === undefined ? undefined : `${of}: ${warning}`
  if (isSearched) await record.searched(target, said)
  else await record.failed(target, said ?? of)
  return isConnectionLost || isLate
}

async function answerWithin(
  ctx: SearchPorts,
  { open, target, limits }: Pick<OneFolder, 'open' | 'target' | 'limits'>,
  signal: AbortSignal,
): Promise<{ readonly outcome: FolderOutcome; readonly isLate: boolean }> {
  let outcome: FolderOutcome = { isSearched: false }
  let isLate = false
  const end = () => {
    isLate = !signal.aborted
    void open.session.close()
  }
  await withDeadline(ctx, { ms: limits.folderMs, signal }, async (deadline) => {
    deadline.addEventListener('abort', end, { once: true })
    try {
      outcome = await searchFolder(ctx, open, { target, hitsMax: limits.hitsPerFolder })
    } catch (error) {
      outcome = failureOf(error)
    } finally {
      deadline.removeEventListener('abort', end)
    }
  })
  return { outcome, isLate }
}

/** Of one folder; throws what concerns the whole account. */
function failureOf(error: unknown): FolderOutcome {
  const isOfFolder =
    error instanceof MailServerError && (error.kind === 'refused' || error.kind === 'unreachable')
  if (!isOfFolder) throw error
  const isConnectionLost = error.kind === 'unreachable'
  return { isSearched: false, warning: error.message, isConnectionLost }
}

const folderName = (account: string, path: string) =>
  `The folder “${path}” of the account “${account}”`

/** A connection that is made anew where it has ended. */
function lane(ctx: SearchPorts, accountId: number, signal: AbortSignal) {
  let current: MailSession | undefined
  let made = 0
  const drop = async () => {
    const dropped = current
    current = undefined
    await dropped?.close()
  }
  // What waits for a silent server then waits no more.
  signal.addEventListener('abort', () => void drop(), { once: true })
  return {
    /** Undefined when the account is gone, or it is time to end. */
    async session(): Promise<MailSession | undefined> {
      if (signal.aborted) return undefined
      if (!current && made > LOST_CONNECTIONS_MAX) throw tooManyLost()
      if (!current) {
        made += 1
        current = await connectImap(ctx, accountId, signal)
      }
      return current
    },
    drop,
  }
}

const tooManyLost = () =>
  new MailServerError('unreachable', 'The server ended too many connections.', { retryable: true })
