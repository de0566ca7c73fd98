import { readFileSync } from 'node:fs'
import { ImapFlow } from 'imapflow'

import { startDovecot } from '../../cli/commands/local/demo/dovecot.ts'
import type { Dovecot, DovecotOptions, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { deliverOverLmtp } from '../../cli/commands/local/demo/mail-transport.ts'

/** A Dovecot with what tests do to it from the outside. */
export interface LabDovecot extends Dovecot {
  /** Puts a message into the user's inbox over LMTP, as a delivery from the internet would. */
  deliver(user: DovecotUser, source: string | Uint8Array): Promise<void>
  /** Another mail program of the same user, logged in over TLS; closed with the server at the latest. */
  secondClient(user: DovecotUser): Promise<ImapFlow>
}

/** Starts a Dovecot for one test or one file of tests; stop it at the end. */
export async function startLabDovecot(options: DovecotOptions = {}): Promise<LabDovecot> {
  const dovecot = await startDovecot(options)
  const clients: ImapFlow[] = []
  const secondClient = async (user: DovecotUser) => {
    const client = new ImapFlow({
      host: dovecot.host,
      port: dovecot.imapsPort,
      secure: true,
      tls: { ca: readFileSync(dovecot.certificate.caFile) },
      auth: { user: user.user, pass: user.password },
      logger: false,
    })
    // The server may go first at the end of a test.
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  const stop = async () => {
    for (const client of clients) client.close()
    await dovecot.stop()
  }
  return {
    ...dovecot,
    deliver: (user, source) => deliverOverLmtp(dovecot.lmtpPort, user.email, Buffer.from(source)),
    secondClient,
    stop,
  }
}
