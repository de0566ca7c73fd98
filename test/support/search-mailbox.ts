import { createHash } from 'node:crypto'
import type { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import { storeContents } from '../../domain/sync/store-contents.ts'
import type { MessageDigest } from '../../runtime/ports/message-digest.ts'
import type { Store } from '../../runtime/ports/store.ts'

type Folder = typeof folders.$inferSelect

/** A message to be stored as a sync would. */
export interface SearchableMail {
  readonly source: string
  readonly folder: Folder
  readonly threadId: number
  /** Of the content; and of the message, where that is not the same. */
  readonly dateMs: number
  readonly messageDateMs?: number
  readonly read?: boolean
  readonly starred?: boolean
  readonly answered?: boolean
  readonly labels?: readonly string[]
}

/** What a message is, for those who look through all of them. */
export interface StoredMail extends Required<SearchableMail> {
  readonly id: number
  readonly contentId: number
  readonly size: number
  readonly digest: MessageDigest
}

/** Stores a message and indexes it, in one transaction. */
export async function storeMail(store: Store, mail: SearchableMail): Promise<StoredMail> {
  const bytes = new TextEncoder().encode(mail.source)
  const sourceHash = createHash('sha256').update(bytes).digest('hex')
  const digest = await digestMessage(bytes)
  const size = bytes.length
  const { folder, threadId, dateMs, messageDateMs = dateMs } = mail
  const { read = false, starred = false, answered = false, labels = [] } = mail
  return store.transaction(async (tx) => {
    const source = { sourceHash, sourceKept: true, size, dateMs, digest }
    const contentId = (await storeContents(tx, [source])).get(sourceHash) ?? 0
    const [row] = await tx
      .insert(messages)
      .values({
        accountId: folder.accountId,
        contentId,
        threadId,
        date: messageDateMs,
        internalDate: messageDateMs,
        serverFlags: [],
        folderId: folder.id,
        inInbox: folder.specialUse === 'inbox',
        read,
        starred,
        answered,
        labels,
      })
      .returning({ id: messages.id })
    const shown = { read, starred, answered, labels, messageDateMs }
    return { ...mail, ...shown, id: row?.id ?? 0, contentId, size, digest }
  })
}
