/** A new Message-ID under the sender's domain (RFC 5322 section 3.6.4), without angle brackets. */
export function newMessageId(sender: string): string {
  return `${crypto.randomUUID()}@${sender.slice(sender.lastIndexOf('@') + 1)}`
}
