import type { GmailMailbox } from './mailbox.ts'
import { type GmailMessage, sharedFlags } from './message.ts'

/** A message as a client knows it. */
export interface Seen {
  readonly uid: number
  readonly message: GmailMessage
  /** Of the newest state the client has been told. */
  modseq: bigint
}

export interface Numbered {
  /** The sequence number. */
  readonly seq: number
  readonly seen: Seen
}

/** An open mailbox as its client knows it, which changes only by what the client is told. */
export class MailboxView {
  readonly mailbox: GmailMailbox
  readonly isReadOnly: boolean
  #seen: Seen[]

  constructor(mailbox: GmailMailbox, isReadOnly: boolean) {
    this.mailbox = mailbox
    this.isReadOnly = isReadOnly
    this.#seen = [...mailbox.uids].map(([message, uid]) => seen(message, uid))
  }

  get exists(): number {
    return this.#seen.length
  }

  /** Those of a sequence set that are still there, by UID or by sequence number. */
  select(set: string, isUid: boolean): readonly Numbered[] {
    const last = isUid ? (this.#seen.at(-1)?.uid ?? 0) : this.#seen.length
    const isWanted = sequenceMatcher(set, last)
    return this.#seen.flatMap((seen, index) =>
      isWanted(isUid ? seen.uid : index + 1) && this.#isThere(seen)
        ? [{ seq: index + 1, seen }]
        : [],
    )
  }

  /** The flags in this mailbox, as a list. */
  flags(message: GmailMessage): string {
    const deleted = this.mailbox.deleted.has(message) ? ['\\Deleted'] : []
    return `(${[...sharedFlags(message), ...deleted].join(' ')})`
  }

  /** What the client has not been told yet; FETCH, STORE and SEARCH forbid EXPUNGE (RFC 9051 section 7.5.1). */
  news({ withExpunges, withModseq }: { withExpunges: boolean; withModseq: boolean }): string {
    const lines: string[] = []
    if (withExpunges) {
      let gone = 0
      for (const [index, seen] of this.#seen.entries())
        if (!this.#isThere(seen)) lines.push(`* ${index + 1 - gone++} EXPUNGE`)
      if (gone > 0) this.#seen = this.#seen.filter((seen) => this.#isThere(seen))
    }
    const lastUid = this.#seen.at(-1)?.uid ?? 0
    const added = [...this.mailbox.uids].filter(([, uid]) => uid > lastUid)
    this.#seen.push(...added.map(([message, uid]) => seen(message, uid)))
    if (added.length > 0) lines.push(`* ${this.exists} EXISTS`)
    for (const [index, seen] of this.#seen.entries()) {
      const { uid, message } = seen
      if (message.modseq === seen.modseq || !this.#isThere(seen)) continue
      seen.modseq = message.modseq
      const modseq = withModseq ? ` MODSEQ (${message.modseq})` : ''
      lines.push(`* ${index + 1} FETCH (UID ${uid}${modseq} FLAGS ${this.flags(message)})`)
    }
    return lines.map((line) => `${line}\r\n`).join('')
  }

  #isThere({ uid, message }: Seen): boolean {
    return this.mailbox.uids.get(message) === uid
  }
}

const seen = (message: GmailMessage, uid: number): Seen => ({
  uid,
  message,
  modseq: message.modseq,
})

/** Tells whether a number is in the set; numbers must be asked for in ascending order. */
function sequenceMatcher(set: string, last: number): (number: number) => boolean {
  const ranges = set
    .split(',')
    .map((range) =>
      range
        .split(':')
        .map((end) => (end === '*' ? last : Number(end)))
        .toSorted((a, b) => a - b),
    )
    .toSorted(([a = 0], [b = 0]) => a - b)
  let index = 0
  return (number) => {
    while (index < ranges.length && (ranges[index]?.at(-1) ?? 0) < number) index += 1
    const [from] = ranges[index] ?? []
    return from !== undefined && from <= number
  }
}
