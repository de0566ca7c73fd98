import { createHash } from 'node:crypto'
import type { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import { type ParsedSource, storeContents } from '../../domain/sync/store-contents.ts'
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
  const [stored] = await storeMails(store, [mail])
  if (!stored) throw new Error('Nothing was stored.')
  return stored
}

/** The same with many at once. */
export async function storeMails(
  store: Store,
  mails: readonly SearchableMail[],
): Promise<readonly StoredMail[]> {
  const digested = await Promise.all(mails.map(digestedMail))
  return store.transaction(async (tx) => {
    const contentIds = await storeContents(
      tx,
      digested.map(({ parsed }) => parsed),
    )
    const idOf = ({ sourceHash }: ParsedSource) => contentIds.get(sourceHash) ?? 0
    const rows = await tx
      .insert(messages)
      .values(digested.map(({ mail, parsed }) => messageRow(mail, idOf(parsed))))
      .returning({ id: messages.id })
    const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b)
    return digested.map(({ mail, parsed }, index) => {
      const { size, digest } = parsed
      return { ...mail, id: ids[index] ?? 0, contentId: idOf(parsed), size, digest }
    })
  })
}

async function digestedMail(mail: SearchableMail) {
  const { dateMs, messageDateMs = dateMs } = mail
  const { read = false, starred = false, answered = false, labels = [] } = mail
  const bytes = new TextEncoder().encode(mail.source)
  const parsed: ParsedSource = {
    sourceHash: createHash('sha256').update(bytes).digest('hex'),
    sourceKept: true,
    size: bytes.length,
    dateMs,
    digest: await digestMessage(bytes),
  }
  return { mail: { ...mail, messageDateMs, read, starred, answered, labels }, parsed }
}

const messageRow = (
  { folder, threadId, messageDateMs, read, starred, answered, labels }: Required<SearchableMail>,
  contentId: number,
): typeof messages.$inferInsert => ({
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
