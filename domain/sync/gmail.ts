import type { Mailbox } from '../../runtime/ports/mail-server.ts'
import type { SpecialUse } from '../folders/special-use.ts'
import type { Folder } from './folder.ts'

/**
 * The folders of a Gmail account that hold no mail of their own, by id: each message is in All Mail (or in Spam or
 * Trash) once, and its labels say which of these shows it (architecture, section 19).
 */
export interface GmailFolders {
  readonly allMail: number
  readonly inbox?: number
  readonly sent?: number
  readonly drafts?: number
}

/** In the order in which they claim a message. */
const CLAIMS = [
  ['\\Draft', 'drafts'],
  ['\\Inbox', 'inbox'],
  ['\\Sent', 'sent'],
] as const

/** Where mail of a Gmail account really is. */
const HOLDING = new Set(['archive', 'spam', 'trash'])

/**
 * A Gmail account's mailboxes without those that are labels, All Mail as its archive; undefined where it shows no
 * All Mail over IMAP, and is then synced like any other account.
 */
export function gmailMailboxes(listed: readonly Mailbox[]): readonly Mailbox[] | undefined {
  if (!listed.some(isAllMail)) return undefined
  return listed.flatMap((mailbox) => {
    if (isAllMail(mailbox)) return [{ ...mailbox, specialUseAttribute: '\\Archive' }]
    const isLabel = mailbox.selectable && !ROLES.has(mailbox.specialUseAttribute ?? '')
    return isLabel ? [] : [mailbox]
  })
}

const isAllMail = ({ specialUseAttribute }: Mailbox) => specialUseAttribute === '\\All'

const ROLES = new Set(['\\Inbox', '\\Sent', '\\Drafts', '\\Junk', '\\Trash'])

/** Whether the folder's mailbox is synced, rather than shown by labels. */
export const holdsGmail = ({ specialUse }: Pick<Folder, 'specialUse'>): boolean =>
  specialUse !== null && HOLDING.has(specialUse)

/** All Mail and the folders that labels fill; undefined where there is no All Mail. */
export function gmailFolders(folders: readonly Folder[]): GmailFolders | undefined {
  const idOf = (role: SpecialUse) => folders.find(({ specialUse }) => specialUse === role)?.id
  const allMail = idOf('archive')
  if (allMail === undefined) return undefined
  const filled = CLAIMS.flatMap(([, role]) => {
    const id = idOf(role)
    return id === undefined ? [] : [[role, id] as const]
  })
  return { allMail, ...Object.fromEntries(filled) }
}

/** The id of the folder that shows a message with these labels, which is in the folder `holding`. */
export function showingFolder(
  labels: readonly string[],
  { holding, gmail }: { holding: number; gmail: GmailFolders },
): number {
  if (holding !== gmail.allMail) return holding
  for (const [label, role] of CLAIMS) {
    const id = gmail[role]
    if (id !== undefined && labels.includes(label)) return id
  }
  return holding
}

/** The labels that people gave; those of Gmail itself begin with a backslash. */
export const userLabels = (labels: readonly string[]): readonly string[] =>
  labels.filter((label) => !label.startsWith('\\'))
