import { randomInt } from 'node:crypto'
import type { LabUser } from '../lab-server.ts'
import { GMAIL_ROOT, type GmailMailbox, type Home, isAtHome, SYSTEM_MAILBOXES } from './mailbox.ts'
import { type GmailMessage, headerField, setSharedFlag } from './message.ts'

export interface AccountOptions {
  /** Names by special use, for accounts in another language: `{ '\\All': 'Alle Nachrichten' }`. */
  readonly names?: Readonly<Record<string, string>>
  /** Special uses whose mailboxes the user keeps from IMAP, such as `\All`. */
  readonly hidden?: readonly string[]
  /** As Gmail by default: \Deleted takes the message out of the mailbox at once. */
  readonly autoExpunge?: boolean
}

export interface Arrival {
  /** `\Inbox` unless told; `\Spam` and `\Trash` mean these places. */
  readonly labels?: readonly string[]
  readonly flags?: readonly string[]
  readonly internalDate?: Date
}

/** The mail of one user, which every change files anew in all mailboxes. */
export class GmailAccount {
  readonly user: LabUser
  readonly autoExpunge: boolean
  readonly mailboxes: GmailMailbox[] = []
  readonly messages = new Map<string, GmailMessage>()
  accessTokens: ReadonlySet<string> = new Set()
  /** Of the conversation, by Message-ID. */
  readonly #threadIds = new Map<string, string>()
  readonly #listeners = new Set<() => void>()
  #uidValidity = 0
  #modseq = 12_785_688n
  // No two accounts share numbers.
  #msgid = 1_278_455_344_230_334_865n + BigInt(randomInt(2 ** 47))

  constructor(user: LabUser, { names = {}, hidden = [], autoExpunge = true }: AccountOptions) {
    this.user = user
    this.autoExpunge = autoExpunge
    for (const { name, specialUse, home } of SYSTEM_MAILBOXES) {
      if (specialUse !== undefined && hidden.includes(specialUse)) continue
      const localName = names[specialUse ?? ''] ?? name
      const path = specialUse === undefined ? name : `${GMAIL_ROOT}/${localName}`
      this.#addMailbox(path, home, specialUse)
    }
  }

  /** Calls back after every change; returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The mailbox at this path; only INBOX ignores case. */
  mailbox(path: string): GmailMailbox | undefined {
    const wanted = path.toUpperCase() === 'INBOX' ? 'INBOX' : path
    return this.mailboxes.find((mailbox) => mailbox.path === wanted)
  }

  /** The mailbox of a label of the user; labels are one whatever their case, and the first spelling stays. */
  userLabel(name: string): GmailMailbox | undefined {
    return this.mailboxes.find(
      (mailbox) => isUserLabel(mailbox) && mailbox.path.toLowerCase() === name.toLowerCase(),
    )
  }

  add(source: Buffer, { labels = ['\\Inbox'], flags = [], internalDate }: Arrival): GmailMessage {
    // Gmail's numbers have gaps, and no number of JavaScript holds them.
    this.#msgid += BigInt(randomInt(1, 1_000_000))
    const msgid = String(this.#msgid)
    const message: GmailMessage = {
      msgid,
      threadId: this.#threadOf(source) ?? msgid,
      source,
      internalDate: internalDate ?? new Date(),
      labels: new Set(),
      keywords: new Set(),
      place: 'all',
      modseq: 0n,
    }
    this.#putLabels(message, labels)
    for (const flag of flags) setSharedFlag(message, flag, true)
    this.messages.set(msgid, message)
    this.#threadIds.set(headerField(source, 'Message-ID'), message.threadId)
    this.#file(message)
    return message
  }

  /** Makes the change and files the message anew; nothing happens where nothing is different. */
  change(message: GmailMessage, edit: (message: GmailMessage) => void): void {
    const before = fingerprint(message)
    edit(message)
    if (fingerprint(message) !== before) this.#file(message)
  }

  /** Replaces all labels; `\Spam` and `\Trash` among them mean these places. */
  setLabels(message: GmailMessage, labels: readonly string[]): void {
    this.change(message, () => {
      message.labels.clear()
      message.place = 'all'
      this.#putLabels(message, labels)
    })
  }

  addLabels(message: GmailMessage, labels: readonly string[]): void {
    this.change(message, () => this.#putLabels(message, labels))
  }

  removeLabels(message: GmailMessage, labels: readonly string[]): void {
    this.change(message, () => {
      for (const label of labels) message.labels.delete(this.userLabel(label)?.path ?? label)
    })
  }

  /** Flags the message \Deleted in this mailbox, or takes that back. */
  setDeleted({ deleted }: GmailMailbox, message: GmailMessage, isDeleted: boolean): void {
    if (deleted.has(message) === isDeleted) return
    if (isDeleted) deleted.add(message)
    else deleted.delete(message)
    this.#file(message)
  }

  /** Takes the message out of the mailbox; from All Mail nothing goes, and what leaves Spam or Trash is lost. */
  expunge(mailbox: GmailMailbox, message: GmailMessage): void {
    const { home } = mailbox
    if ('label' in home) this.removeLabels(message, [home.label])
    else if (home.place === 'all') this.setDeleted(mailbox, message, false)
    else this.deleteForGood(message)
  }

  deleteForGood(message: GmailMessage): void {
    this.messages.delete(message.msgid)
    for (const mailbox of this.mailboxes)
      if (mailbox.uids.has(message)) this.#leave(mailbox, message)
    this.#notify()
  }

  createLabel(path: string): GmailMailbox {
    return this.#addMailbox(path, { label: path })
  }

  deleteLabel(mailbox: GmailMailbox): void {
    for (const message of this.messages.values())
      this.change(message, ({ labels }) => labels.delete(mailbox.path))
    this.mailboxes.splice(this.mailboxes.indexOf(mailbox), 1)
    this.#notify()
  }

  /** Labels below it are renamed with it; all keep their UIDs. */
  renameLabel({ path: from }: GmailMailbox, to: string): void {
    const renamed = this.mailboxes.filter(
      (mailbox) =>
        isUserLabel(mailbox) && (mailbox.path === from || mailbox.path.startsWith(`${from}/`)),
    )
    for (const mailbox of renamed) {
      const old = mailbox.path
      mailbox.path = to + old.slice(from.length)
      mailbox.home = { label: mailbox.path }
      for (const message of this.messages.values())
        this.change(message, ({ labels }) => labels.delete(old) && labels.add(mailbox.path))
    }
  }

  #putLabels(message: GmailMessage, labels: readonly string[]): void {
    for (const label of labels) {
      if (label === '\\Trash') message.place = 'trash'
      else if (label === '\\Spam') message.place = 'spam'
      else message.labels.add(this.userLabel(label)?.path ?? label)
    }
  }

  #addMailbox(path: string, home: Home, specialUse?: string): GmailMailbox {
    this.#uidValidity += 1
    const mailbox: GmailMailbox = {
      path,
      home,
      ...(specialUse !== undefined && { specialUse }),
      uidValidity: this.#uidValidity,
      uidNext: 1,
      highestModseq: this.#modseq,
      uids: new Map(),
      deleted: new Set(),
    }
    this.mailboxes.push(mailbox)
    return mailbox
  }

  #file(message: GmailMessage): void {
    message.modseq = this.#nextModseq()
    for (const label of message.labels)
      if (!label.startsWith('\\') && !this.mailbox(label)) this.createLabel(label)
    for (const mailbox of this.mailboxes) {
      const isHere = mailbox.uids.has(message)
      if (isAtHome(mailbox.home, message)) {
        mailbox.highestModseq = message.modseq
        if (!isHere) mailbox.uids.set(message, mailbox.uidNext++)
      } else if (isHere) this.#leave(mailbox, message)
    }
    this.#notify()
  }

  #leave(mailbox: GmailMailbox, message: GmailMessage): void {
    mailbox.uids.delete(message)
    mailbox.deleted.delete(message)
    mailbox.highestModseq = this.#nextModseq()
  }

  #threadOf(source: Buffer): string | undefined {
    const named = `${headerField(source, 'References')} ${headerField(source, 'In-Reply-To')}`
    const known = named.match(/<[^<>]+>/g)?.find((id) => this.#threadIds.has(id))
    return known === undefined ? undefined : this.#threadIds.get(known)
  }

  #nextModseq(): bigint {
    this.#modseq += 1n
    return this.#modseq
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

export const isUserLabel = ({ path, home }: GmailMailbox): boolean =>
  'label' in home && home.label === path

const fingerprint = ({ labels, keywords, place }: GmailMessage) =>
  JSON.stringify([place, [...labels].toSorted(), [...keywords].toSorted()])
