/** Where a message is: in All Mail and the mailboxes of its labels, or only in Spam or Trash. */
export type Place = 'all' | 'spam' | 'trash'

/** A message of an account; one, however many mailboxes show it. */
export interface GmailMessage {
  /** X-GM-MSGID: an unsigned 64-bit number in decimal. */
  readonly msgid: string
  /** X-GM-THRID: the X-GM-MSGID of the first message of the conversation. */
  readonly threadId: string
  readonly source: Buffer
  readonly internalDate: Date
  /** System labels with a backslash, such as `\Inbox`; labels of the user by their path. */
  readonly labels: Set<string>
  /** Without the flags that are labels, and without \Deleted, which is of one mailbox. */
  readonly keywords: Set<string>
  place: Place
  modseq: bigint
}

/** The flags that all mailboxes show: \Flagged is the star, \Draft the label of that name. */
export function sharedFlags({ keywords, labels }: GmailMessage): readonly string[] {
  const flags = [...keywords]
  if (labels.has('\\Starred')) flags.push('\\Flagged')
  if (labels.has('\\Draft')) flags.push('\\Draft')
  return flags.toSorted()
}

/** Sets or takes away a shared flag; \Draft cannot be set, since only a place in Drafts makes a draft. */
export function setSharedFlag(
  { keywords, labels }: GmailMessage,
  flag: string,
  isSet: boolean,
): void {
  const name = canonicalFlag(flag)
  if (name === '\\Draft' || name === '\\Recent') return
  const [set, entry] = name === '\\Flagged' ? [labels, '\\Starred'] : [keywords, name]
  if (isSet) set.add(entry)
  else set.delete(entry)
}

const SYSTEM_FLAGS = ['\\Answered', '\\Deleted', '\\Draft', '\\Flagged', '\\Recent', '\\Seen']

/** System flags ignore case (RFC 9051 section 2.3.2). */
export const canonicalFlag = (flag: string): string =>
  SYSTEM_FLAGS.find((known) => known.toLowerCase() === flag.toLowerCase()) ?? flag

/** The lines of one header field, unfolded and joined. */
export function headerField(source: Buffer, name: string): string {
  const lines = headerBlock(source)
    .toString('latin1')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const prefix = `${name.toLowerCase()}:`
  return lines
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length).trim())
    .join(' ')
}

/** The header with the empty line that ends it; everything where there is none. */
export function headerBlock(source: Buffer): Buffer {
  const end = source.indexOf('\r\n\r\n')
  return end === -1 ? source : source.subarray(0, end + 4)
}
