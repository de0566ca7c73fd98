import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How often a connection may end while a folder is opened before the folder is taken for the reason. */
const ENDED_CONNECTIONS = 2
/** How long such a folder is passed over. */
const PASSED_OVER_MS = 60 * 60_000

/** Which of an account's folders the server keeps closed; remembered over connections, forgotten with the process. */
export interface FolderTroubles {
  /** Does `open`, which opens the folder, and remembers where that ended the connection. */
  whileOpening<T>(folderId: number, open: () => Promise<T>): Promise<T>
  /** Whether opening the folder has ended connections of late. */
  endsConnections(folderId: number): boolean
  refused(folderId: number): void
  opened(folderId: number): void
  /** Whether no message of the folder can be had for now. */
  isClosed(folderId: number): boolean
}

export function folderTroubles({ clock }: Needs<'clock'>): FolderTroubles {
  const refused = new Set<number>()
  const ended = new Map<number, { readonly count: number; readonly atMs: number }>()
  const endsConnections = (folderId: number) => {
    const { count = 0, atMs = 0 } = ended.get(folderId) ?? {}
    const isOfLate = Math.abs(clock.now().getTime() - atMs) < PASSED_OVER_MS
    return count >= ENDED_CONNECTIONS && isOfLate
  }
  return {
    async whileOpening(folderId, open) {
      try {
        const opened = await open()
        ended.delete(folderId)
        return opened
      } catch (error) {
        if (error instanceof MailServerError && error.kind === 'unreachable') {
          const count = (ended.get(folderId)?.count ?? 0) + 1
          ended.set(folderId, { count, atMs: clock.now().getTime() })
        }
        throw error
      }
    },
    endsConnections,
    refused: (folderId) => void refused.add(folderId),
    opened: (folderId) => void refused.delete(folderId),
    isClosed: (folderId) => refused.has(folderId) || endsConnections(folderId),
  }
}
