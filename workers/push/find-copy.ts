import { confirmedMessages } from '../../domain/sync/folder-state.ts'
import type { Folder } from '../../domain/sync/folder.ts'
import type { DueChange } from '../../domain/mailbox-changes/due.ts'
import { leftBehindUids } from '../../domain/sync/left-behind.ts'
import { sourceHashOf } from '../../domain/sources/source-hash.ts'
import { fetchSource } from '../fetch-source.ts'
import type { Place, PushConnection, PushPorts } from './push-ports.ts'

/** What a server can be asked for to find the message again. */
export const soughtOf = ({ messageIdHeader, size }: DueChange) => ({
  ...(messageIdHeader !== null && { messageIdHeader }),
  size: size ?? 0,
})

/**
 * Where the message of a change is in the folder, byte for byte, as a message that nobody here knows yet: the copy that
 * a move has made when the server did not say where, or nobody was left to hear it. Leaves the folder open.
 */
export async function findCopy(
  ctx: PushPorts,
  { session }: PushConnection,
  { change, folder }: { readonly change: DueChange; readonly folder: Folder },
): Promise<Place | undefined> {
  const { uidValidity } = await session.select(folder.path)
  const candidates = await session.searchCopies(soughtOf(change))
  const confirmed = await confirmedMessages(ctx, folder.id, candidates)
  const left = await leftBehindUids(ctx.store.read, folder.id)
  const known = new Set([...confirmed.map(({ uid }) => uid), ...left])
  for (const uid of candidates.filter((candidate) => !known.has(candidate))) {
    const source = await fetchSource(session, uid)
    if (source && sourceHashOf(source) === change.sourceHash)
      return { folderId: folder.id, uidValidity: String(uidValidity), uid }
  }
  return undefined
}
