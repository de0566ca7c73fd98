/** References kept of one message, the first and the newest. Stops one message from claiming 50,000 threads. */
const REFERENCES_MAX = 200
/** The longest line of a message (RFC 5322 section 2.1.1), so the longest Message-ID that can be sent. */
const MESSAGE_ID_CHARS_MAX = 998

/**
 * The Message-IDs in a field value (RFC 5322 section 3.6.4), without angle brackets and without duplicates.
 * Without any brackets a single word is taken for one, and words with "@" out of several.
 */
export function parseMessageIds(value: string): readonly string[] {
  const bracketed = [...value.matchAll(/<([^<>]*)>/g)].map((match) => match[1] ?? '')
  const found = bracketed.length > 0 ? bracketed : bareIds(value)
  const ids = found.map((id) => id.replaceAll(/\s+/g, '')).filter(isUsable)
  return [...new Set(ids)]
}

function bareIds(value: string): readonly string[] {
  const words = value.trim().split(/[\s,]+/)
  return words.length === 1 ? words : words.filter((word) => word.includes('@'))
}

const isUsable = (id: string): boolean => id !== '' && id.length <= MESSAGE_ID_CHARS_MAX

/** What a message answers, oldest first: References, then In-Reply-To where it is not among them. */
export function threadReferences(references: string, inReplyTo: string): readonly string[] {
  const ids = [...new Set([...parseMessageIds(references), ...parseMessageIds(inReplyTo)])]
  if (ids.length <= REFERENCES_MAX) return ids
  return [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)]
}
