import { MailServerError } from '../runtime/ports/mail-server-error.ts'
import type { Needs } from '../runtime/ports/runtime.ts'

/** How often a connection may end while a folder is opened before the folder is taken for the reason. */
const ENDED_CONNECTIONS = 3
/** How long such a folder is passed over at first: the line may have been to blame. Twice as long with every time more. */
const PASSED_OVER_MS = 20_000
const PASSED_OVER_MAX_MS = 60 * 60_000

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
    const times = count - ENDED_CONNECTIONS
    const passedOverMs = Math.min(PASSED_OVER_MAX_MS, PASSED_OVER_MS * 2 ** times)
    return times >= 0 && Math.abs(clock.now().getTime() - atMs) < passedOverMs
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
