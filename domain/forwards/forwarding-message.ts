import type { Address } from '../../db/schema/contents.ts'
import type { OutgoingMessage } from '../../db/schema/outbox.ts'
import { FORWARDED_BY } from '../filters/forwarded.ts'
import { parseAddress } from '../submission/addresses.ts'
import { withAsciiDomain } from '../submission/mail-domain.ts'

interface Forwarding {
  /** Of the account whose rule forwards. */
  readonly email: string
  readonly address: string
  readonly original: { readonly subject: string; readonly from: readonly Address[] }
}

/**
 * The message that carries a forwarded one as its attachment: from the account, since it is not ours to speak for the
 * original's author, to whom answers go. It says what it is, so that nobody forwards or answers it by itself (RFC 3834).
 */
export const forwardingMessage = ({ email, address, original }: Forwarding): OutgoingMessage => ({
  from: { address: withAsciiDomain(email) },
  to: [{ address }],
  cc: [],
  bcc: [],
  replyTo: original.from.filter(isAnswerable),
  subject: `Fwd: ${original.subject}`,
  text: `A rule of ${email} forwards the attached message.\n`,
  references: [],
  headers: [
    { name: FORWARDED_BY, value: email },
    { name: 'Auto-Submitted', value: 'auto-forwarded' },
  ],
})

/** Whether every server takes the address in a header: what mail says of its author may be anything. */
function isAnswerable({ address }: Address): boolean {
  try {
    return parseAddress('from', address).address !== '' && /^[ -~]*@/.test(address)
  } catch {
    return false
  }
}
