import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { SendMailOptions } from 'nodemailer'

import { LOOPBACK } from './loopback.ts'

/** A message as plain data: addresses, subject, bodies, attachments, headers. */
export type MailContent = SendMailOptions

/** The RFC 5322 source of a message. */
export function composeMail(content: MailContent): Promise<Buffer> {
  return new MailComposer(content).compile().build()
}

/**
 * Hands `source`, byte for byte, to the mail server's LMTP port (RFC 2033); it is in the recipient's mailbox
 * when this resolves. Throws when the server refuses it.
 */
export async function deliverOverLmtp(
  lmtpPort: number,
  recipient: string,
  source: Uint8Array,
): Promise<void> {
  const transport = createTransport({ host: LOOPBACK, port: lmtpPort, lmtp: true, ignoreTLS: true })
  try {
    await transport.sendMail({
      envelope: { from: 'postmaster@localhost', to: recipient },
      raw: Buffer.from(source.buffer, source.byteOffset, source.byteLength),
    })
  } finally {
    transport.close()
  }
}
