import type { Mailbox } from '../../runtime/ports/mail-server.ts'

/** The roles a folder can have (contract section 1), in the order in which folders are synced. */
export const SPECIAL_USES = ['inbox', 'sent', 'drafts', 'archive', 'trash', 'spam'] as const

export type SpecialUse = (typeof SPECIAL_USES)[number]

/** The folders whose changes become events by default (spec section 6, rule 3). */
export const SYNCED_SPECIAL_USES: ReadonlySet<SpecialUse> = new Set(['inbox', 'sent', 'drafts'])

/** The attributes by which a server is asked for a mailbox of a role; INBOX is never made. */
export const ATTRIBUTES = {
  sent: '\\Sent',
  drafts: '\\Drafts',
  archive: '\\Archive',
  trash: '\\Trash',
  spam: '\\Junk',
} as const satisfies Readonly<Record<Exclude<SpecialUse, 'inbox'>, string>>

/** RFC 6154 attributes; `\\Inbox` is what our adapter gives INBOX. */
const BY_ATTRIBUTE: Readonly<Record<string, SpecialUse>> = {
  '\\Inbox': 'inbox',
  ...Object.fromEntries(Object.entries(ATTRIBUTES).map(([role, attribute]) => [attribute, role])),
}

/**
 * The role of each mailbox, by path. A role that the server declares wins over one guessed from a name, and a
 * role is given to one selectable mailbox only: the first of the list.
 */
export function specialUses(mailboxes: readonly Mailbox[]): ReadonlyMap<string, SpecialUse> {
  const taken = new Set<SpecialUse>()
  const roles = new Map<string, SpecialUse>()
  const declaredFirst = mailboxes.toSorted(
    (a, b) => Number(b.specialUseDeclared) - Number(a.specialUseDeclared),
  )
  for (const mailbox of declaredFirst) {
    const role = mailbox.specialUseAttribute && BY_ATTRIBUTE[mailbox.specialUseAttribute]
    if (!role || !mailbox.selectable || taken.has(role)) continue
    taken.add(role)
    roles.set(mailbox.path, role)
  }
  return roles
}
