import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SourceTraits } from '../../ports/rendered-source.ts'
import type { SmtpEnvelope } from '../../ports/submission.ts'
import { cannotBeSent } from './failure.ts'
import { declareUtf8, hasExtension, sizeMax } from './internals.ts'
import { needsSmtpUtf8, smtpAddress } from './smtp-address.ts'

const NO_SMTPUTF8 =
  'The server takes no addresses with letters outside of ASCII before the @ (it has no SMTPUTF8).'

/**
 * What this server is told of a message with MAIL and RCPT. Throws a `MailServerError`, with nothing said yet, where it
 * cannot take the message, and an `Error` for an address that is none.
 */
export function smtpEnvelopeFor(
  client: SMTPConnection,
  { from, to }: SmtpEnvelope,
  traits: Partial<SourceTraits>,
) {
  const { size = 0, hasEightBitContent = false, hasUtf8Header = false } = traits
  const limit = sizeMax(client)
  if (limit > 0 && size > limit) throw cannotBeSent(tooLarge(size, limit))
  const addresses = {
    // Empty where nobody is to be told that it cannot be delivered.
    from: from === '' ? from : smtpAddress(from),
    to: to.map(smtpAddress),
  }
  const isUtf8Envelope = [from, ...to].some((address) => address !== '' && needsSmtpUtf8(address))
  if (isUtf8Envelope || hasUtf8Header) {
    if (!hasExtension(client, 'SMTPUTF8')) throw cannotBeSent(NO_SMTPUTF8)
    if (!isUtf8Envelope) declareUtf8(client)
  }
  return { ...addresses, size, use8BitMime: hasEightBitContent || hasUtf8Header }
}

const tooLarge = (size: number, limit: number) =>
  `The message has ${mebibytes(size)} MiB with its attachments encoded, and the server takes ` +
  `${mebibytes(limit)} MiB at most.`

const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
