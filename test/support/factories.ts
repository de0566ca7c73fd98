import type { Tx } from '../../db/client.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { contentBodies, contents } from '../../db/schema/contents.ts'
import { folders } from '../../db/schema/folders.ts'
import { messages } from '../../db/schema/messages.ts'
import { threads } from '../../db/schema/threads.ts'
import { nameKey } from '../../domain/accounts/name-key.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import { fold } from '../../domain/search/fold.ts'
import type { SourceStore } from '../../runtime/ports/source-store.ts'
import type { Store } from '../../runtime/ports/store.ts'

type Row<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>

/** A message to put into the store: its place, and either its source or what a list shows of it. */
export interface MakeMessage extends Row<typeof messages> {
  readonly content?: Row<typeof contents>
  readonly text?: string | null
  /** RFC 5322 source; parsed and kept, as a sync would. */
  readonly source?: string
  /** False leaves the source out of the source store. */
  readonly keepSource?: boolean
}

/** Rows with everything a test does not care about filled in. Each returns what was stored. */
export function factories(store: Store, sourceStore: SourceStore) {
  let count = 0

  const account = async (row: Row<typeof accounts> = {}) => {
    count += 1
    const name = row.name ?? `Account ${count}`
    const server = { Host: 'mail.example.org', Port: 993, Tls: 'implicit', User: 'ada' } as const
    return store.transaction(async (tx) =>
      first(
        await tx
          .insert(accounts)
          .values({
            name,
            nameKey: nameKey(name),
            email: 'ada@example.org',
            imapHost: server.Host,
            imapPort: server.Port,
            imapTls: server.Tls,
            imapUser: server.User,
            smtpHost: server.Host,
            smtpPort: server.Port,
            smtpTls: server.Tls,
            smtpUser: server.User,
            sealedPassword: 'sealed',
            createdAt: 0,
            ...row,
          })
          .returning(),
      ),
    )
  }

  const folder = async (accountId: number, row: Row<typeof folders> = {}) => {
    count += 1
    return store.transaction(async (tx) =>
      first(
        await tx
          .insert(folders)
          .values({ accountId, path: `Folder ${count}`, delimiter: '/', ...row })
          .returning(),
      ),
    )
  }

  const inbox = (accountId: number) =>
    folder(accountId, { path: 'INBOX', specialUse: 'inbox', synced: true })

  const insertThread = async (tx: Tx, accountId: number, row: Row<typeof threads> = {}) =>
    first(
      await tx
        .insert(threads)
        .values({ accountId, ...row })
        .returning(),
    )

  const thread = (accountId: number, row: Row<typeof threads> = {}) =>
    store.transaction((tx) => insertThread(tx, accountId, row))

  /** Keeps the source; what it returns inserts the rest. */
  const content = async ({ content: row = {}, text = 'Hello.', source }: MakeMessage) => {
    count += 1
    const bytes = new TextEncoder().encode(
      source ?? `Subject: ${count}\r\nMessage-ID: <${count}@example.org>\r\n\r\nHello.\r\n`,
    )
    const digest = await digestMessage(bytes)
    const values = {
      ...digest,
      subject: source === undefined ? `Subject ${count}` : digest.subject,
      ...row,
    }
    const sourceHash = row.sourceHash ?? (await sourceStore.put(bytes))
    return async (tx: Tx) => {
      const stored = first(
        await tx
          .insert(contents)
          .values({
            sourceHash,
            size: bytes.length,
            hasAttachments: values.attachments.length > 0,
            messageIdHeader: values.messageIdHeader ?? null,
            inReplyToHeader: values.inReplyToHeader ?? null,
            references: values.references,
            from: values.from,
            to: values.to,
            cc: values.cc,
            bcc: values.bcc,
            replyTo: values.replyTo,
            subject: values.subject,
            subjectFolded: fold(values.subject),
            fromFolded: foldedAddresses(values.from),
            toFolded: foldedAddresses([...values.to, ...values.cc]),
            snippet: values.snippet,
            attachments: values.attachments,
            ...row,
          })
          .returning(),
      )
      await tx.insert(contentBodies).values({
        contentId: stored.id,
        text: source === undefined ? text : (digest.text ?? null),
        hasHtml: digest.hasHtml,
        headersRaw: digest.headersRaw,
      })
      return stored
    }
  }

  const message = async (inFolder: typeof folders.$inferSelect, options: MakeMessage = {}) => {
    const { content: _content, text: _text, source: _source, keepSource, ...row } = options
    const insertContent = await content(options)
    // One transaction: each leaves others a pause to write.
    const { message: inserted, sourceHash } = await store.transaction(async (tx) => {
      const stored = await insertContent(tx)
      const threadId = row.threadId ?? (await insertThread(tx, inFolder.accountId)).id
      const message = first(
        await tx
          .insert(messages)
          .values({
            accountId: inFolder.accountId,
            contentId: stored.id,
            date: 1_772_366_400_000 + count * 1_000,
            internalDate: 0,
            serverFlags: [],
            folderId: inFolder.id,
            inInbox: inFolder.specialUse === 'inbox',
            read: false,
            starred: false,
            answered: false,
            labels: [],
            ...row,
            threadId,
          })
          .returning(),
      )
      return { message, sourceHash: stored.sourceHash }
    })
    if (keepSource === false) await sourceStore.delete(sourceHash)
    return inserted
  }

  return { account, folder, inbox, thread, message }
}

const foldedAddresses = (list: readonly { name?: string; address: string }[]) =>
  fold(list.map(({ name, address }) => [name, address].filter(Boolean).join(' ')).join(', '))

function first<Inserted>([row]: readonly Inserted[]): Inserted {
  if (!row) throw new Error('Nothing was inserted.')
  return row
}
