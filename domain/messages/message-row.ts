import { accounts } from '../../db/schema/accounts.ts'
import { contents, type Address } from '../../db/schema/contents.ts'
import { messages } from '../../db/schema/messages.ts'

/** The columns of a message as it is shown in lists, from messages, contents and accounts joined. */
export const MESSAGE_COLUMNS = {
  id: messages.id,
  account: accounts.name,
  folderId: messages.folderId,
  threadId: messages.threadId,
  messageIdHeader: contents.messageIdHeader,
  inReplyToHeader: contents.inReplyToHeader,
  from: contents.from,
  to: contents.to,
  cc: contents.cc,
  bcc: contents.bcc,
  replyTo: contents.replyTo,
  subject: contents.subject,
  date: messages.date,
  size: contents.size,
  read: messages.read,
  starred: messages.starred,
  answered: messages.answered,
  hasAttachments: contents.hasAttachments,
  snippet: contents.snippet,
  labels: messages.labels,
  draftId: messages.draftId,
  snoozedUntil: messages.snoozedUntil,
} as const

/** A message as it is shown in lists. Times are milliseconds UTC; null is a value that is not known. */
export interface MessageRow {
  readonly id: number
  readonly account: string
  readonly folderId: number
  readonly threadId: number
  readonly messageIdHeader: string | null
  readonly inReplyToHeader: string | null
  readonly from: readonly Address[]
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly bcc: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly subject: string
  readonly date: number
  readonly size: number
  readonly read: boolean
  readonly starred: boolean
  readonly answered: boolean
  readonly hasAttachments: boolean
  readonly snippet: string
  readonly labels: readonly string[]
  readonly draftId: number | null
  readonly snoozedUntil: number | null
}
