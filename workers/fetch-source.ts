import type { MailSession } from '../runtime/ports/mail-server.ts'

/** The source of a message of the opened mailbox, all of it in memory; undefined when the message has gone. */
export async function fetchSource(
  session: MailSession,
  uid: number,
): Promise<Uint8Array | undefined> {
  for await (const { source } of session.fetchMessages([uid])) {
    if (source instanceof Uint8Array) return source
    try {
      return await source.read()
    } finally {
      await source.close()
    }
  }
  return undefined
}
