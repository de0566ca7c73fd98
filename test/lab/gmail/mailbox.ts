import type { GmailMessage, Place } from './message.ts'

/** What puts a message into a mailbox: its place, or a label. */
export type Home = { readonly place: Place } | { readonly label: string }

/** A label or a place as IMAP shows it, with UIDs of its own. */
export interface GmailMailbox {
  path: string
  home: Home
  /** Such as `\All`; only of the mailboxes every account has. */
  readonly specialUse?: string
  readonly uidValidity: number
  uidNext: number
  highestModseq: bigint
  /** By message, in the order of the UIDs. */
  readonly uids: Map<GmailMessage, number>
  /** What is flagged \Deleted here and not expunged yet; stays empty with auto-expunge. */
  readonly deleted: Set<GmailMessage>
}

/** The parent that has no messages. */
export const GMAIL_ROOT = '[Gmail]'

/** The mailboxes of every account; INBOX alone may not be hidden or named otherwise. */
export const SYSTEM_MAILBOXES: readonly {
  readonly name: string
  readonly specialUse?: string
  readonly home: Home
}[] = [
  { name: 'INBOX', home: { label: '\\Inbox' } },
  { name: 'All Mail', specialUse: '\\All', home: { place: 'all' } },
  { name: 'Drafts', specialUse: '\\Drafts', home: { label: '\\Draft' } },
  { name: 'Important', specialUse: '\\Important', home: { label: '\\Important' } },
  { name: 'Sent Mail', specialUse: '\\Sent', home: { label: '\\Sent' } },
  { name: 'Spam', specialUse: '\\Junk', home: { place: 'spam' } },
  { name: 'Starred', specialUse: '\\Flagged', home: { label: '\\Starred' } },
  { name: 'Trash', specialUse: '\\Trash', home: { place: 'trash' } },
]

/** Whether a mailbox of this home shows the message. */
export const isAtHome = (home: Home, { place, labels }: GmailMessage): boolean =>
  'place' in home ? place === home.place : place === 'all' && labels.has(home.label)

/** Puts the message there, as COPY does; leaving Spam or Trash, or going there, is part of it. */
export function takeHome(home: Home, message: GmailMessage): void {
  message.place = 'place' in home ? home.place : 'all'
  if ('label' in home) message.labels.add(home.label)
  else if (home.place !== 'all') message.labels.delete('\\Inbox')
}
