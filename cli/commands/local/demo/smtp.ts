import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { callbackify, promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream } from 'smtp-server'

import type { Dovecot, DovecotUser } from './dovecot.ts'
import { LOOPBACK } from './loopback.ts'
import { deliverOverLmtp } from './mail-transport.ts'

const MESSAGE_BYTES_MAX = 35 * 1024 * 1024

/** A submission server whose mail never leaves this machine. */
export interface LoopingSmtp {
  readonly host: string
  /** Without TLS, and with STARTTLS. */
  readonly port: number
  stop(): Promise<void>
}

/**
 * Starts a submission server for `user`, who logs in as at the Dovecot; whatever is sent comes back to that
 * user's inbox, whoever it was addressed to.
 */
export async function startLoopingSmtp(dovecot: Dovecot, user: DovecotUser): Promise<LoopingSmtp> {
  const deliver = callbackify(async (stream: SMTPServerDataStream) => {
    const source = await buffer(stream)
    if (stream.sizeExceeded) throw new Error('Message is too large')
    await deliverOverLmtp(dovecot.lmtpPort, user.email, source)
    return 'Delivered'
  })
  const server = new SMTPServer({
    key: await readFile(dovecot.certificate.keyFile),
    cert: await readFile(dovecot.certificate.certFile),
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: MESSAGE_BYTES_MAX,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === user.user && password === user.password) done(null, { user: username })
      else done(new Error('Invalid user name or password'))
    },
    onData: (stream, _session, done) => deliver(stream, done),
  })
  // A client that hangs up in the middle is the client's affair.
  server.on('error', () => {})
  const listening = server.listen(0, LOOPBACK)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const close = promisify((done: () => void) => server.close(done))
  return { host: LOOPBACK, port, stop: () => close() }
}
