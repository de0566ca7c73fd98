import type { OutgoingMessage, RefusedRecipient } from '../../db/schema/outbox.ts'
import type { SmtpEnvelope } from '../../runtime/ports/submission.ts'

/**
 * Whom the server is told of (RFC 5321 section 2.3.1): every recipient once, however often the message names them; or
 * those alone who wait, once others have the message.
 */
export function smtpEnvelopeOf(
  { from, to, cc, bcc }: OutgoingMessage,
  waiting?: readonly RefusedRecipient[] | null,
): SmtpEnvelope {
  if (waiting) return { from: from.address, to: waiting.map(({ address }) => address) }
  const recipients = [...to, ...cc, ...bcc].map(({ address }) => address)
  return {
    from: from.address,
    to: [...new Map(recipients.map((address) => [mailboxKey(address), address])).values()],
  }
}

/** Only the host decides whether case matters before the @ (RFC 5321 section 2.4). */
function mailboxKey(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${address.slice(at + 1).toLowerCase()}`
}
