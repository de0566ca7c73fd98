/** How long a server may take, in milliseconds. A connection on which it took longer is closed. */
export interface Patience {
  readonly dnsMs: number
  /** For all of DNS, TCP and TLS. */
  readonly connectMs: number
  readonly greetingMs: number
  /** For EHLO, and for all of a login. */
  readonly loginMs: number
  /** From MAIL to the go-ahead for the data, however busily it answers; each recipient adds `recipientMs`. */
  readonly smtpEnvelopeMs: number
  readonly recipientMs: number
  /** For taking a block of the data. */
  readonly blockMs: number
  /** For its answer to all of the data. */
  readonly answerMs: number
  /** How long a connection is kept for the next message. */
  readonly keepMs: number
}

/**
 * Until the data a lost attempt costs nothing, so there it is less than RFC 5321 section 4.5.3.2 asks for. The last two
 * are what it asks for: whoever gives up earlier often does not know of a message that has been sent.
 */
export const PATIENCE: Patience = {
  dnsMs: 10_000,
  connectMs: 30_000,
  greetingMs: 16_000,
  loginMs: 30_000,
  smtpEnvelopeMs: 120_000,
  recipientMs: 1_000,
  blockMs: 180_000,
  answerMs: 600_000,
  keepMs: 10_000,
}
