import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** What a server said in its answer to EHLO, which nodemailer keeps to itself. */
interface Internals {
  readonly _supportedExtensions: readonly string[]
  /** Bytes; 0 where the server named no limit (RFC 1870). */
  readonly _maxAllowedSize: number
  /** Replies that it has not looked at. */
  readonly _responseQueue: readonly string[]
  _sendCommand(command: string, logged?: string): void
}

/** Its version is pinned, and tests with real servers see when these change. */
const internals = (client: SMTPConnection) => client as unknown as Internals

export const hasExtension = (client: SMTPConnection, name: string): boolean =>
  internals(client)._supportedExtensions.includes(name)

/** The largest message that the server says it takes, in bytes; 0 where it does not say. */
export const sizeMax = (client: SMTPConnection): number => internals(client)._maxAllowedSize

/** The first refusal that the library has not looked at because the server ended the connection right after it. */
export function unreadRefusal(client: SMTPConnection): string | undefined {
  const refusals = internals(client)._responseQueue.filter((reply) => /^[45]\d\d[ -]/.test(reply))
  return refusals.find((reply) => reply.startsWith('421')) ?? refusals[0]
}

/**
 * Declares the next message to be one of RFC 6531 although its SMTP envelope is ASCII: nodemailer looks only there, and
 * other addresses of a header may need it too.
 */
export function declareUtf8(client: SMTPConnection): void {
  const inside = internals(client)
  const send = inside._sendCommand.bind(inside)
  inside._sendCommand = (command, logged) => {
    if (!command.startsWith('MAIL FROM:')) return send(command, logged)
    inside._sendCommand = send
    return send(`${command} SMTPUTF8`, logged)
  }
}
