import type { MailContent } from '../mail-transport.ts'

/** A message of the demo mailbox before it is rendered; dates are relative, so that it never looks old. */
export interface DemoMail {
  readonly folder: string
  readonly hoursAgo: number
  readonly content: MailContent
  /** Names the message in the Message-ID, for replies to refer to. */
  readonly key: string
  /** The keys of the messages before it in its thread, oldest first. */
  readonly replyTo?: readonly string[]
  readonly unread?: boolean
  readonly starred?: boolean
  readonly answered?: boolean
}

export const FOLDERS = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  archive: 'Archive',
  junk: 'Junk',
  trash: 'Trash',
  project: 'Projects/Harbour house',
  family: 'Familie & Küche',
} as const

export const DAY = 24
export const WEEK = 7 * DAY
export const MONTH = 30 * DAY

/** What happened in the last days is still unread, mostly. */
export const isRecent = (hoursAgo: number) => hoursAgo < 4 * DAY
