/** What is stored of the message that is answered. */
export interface Original {
  readonly messageIdHeader: string | null
  /** References and In-Reply-To, oldest first. */
  readonly references: readonly string[]
}

export interface ThreadHeaders {
  readonly inReplyToHeader?: string
  readonly references: readonly string[]
}

/** Printable ASCII: others would need a server that takes UTF-8 in headers, and their senders had no right to them. */
const ID = /^[\x21-\x3b\x3d\x3f-\x7e]+$/
/** Fits on a line of its own with brackets and a space (RFC 5322 section 2.1.1). */
const ID_CHARS_MAX = 990

/** How a message says what it answers (RFC 5322 section 3.6.4): the whole chain, then the original itself. */
export function threadHeaders({ messageIdHeader, references }: Original): ThreadHeaders {
  const chain = new Set(references.filter(isWritable))
  if (messageIdHeader === null || !isWritable(messageIdHeader)) return { references: [...chain] }
  chain.delete(messageIdHeader)
  return {
    inReplyToHeader: messageIdHeader,
    references: [...chain, messageIdHeader],
  }
}

const isWritable = (id: string): boolean => id.length <= ID_CHARS_MAX && ID.test(id)
