import { once } from 'node:events'
import { connect } from 'node:net'

import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'

const WITHIN_MS = 30_000

/** A bare socket that idles on the inbox (RFC 2177): how soon the server itself says that mail came. */
export interface IdleClient {
  /** When the server said that a message came, by `performance.now()`; ask before it can come. */
  nextArrival(): Promise<number>
  close(): void
}

/** Logs in without TLS and idles; resolves when the server does. */
export async function idleClient(dovecot: Dovecot, user: DovecotUser): Promise<IdleClient> {
  const socket = connect(dovecot.imapPort, dovecot.host).setEncoding('latin1').setNoDelay()
  await once(socket, 'connect')
  const said = (pattern: RegExp) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      if (pattern.test(text)) resolve(performance.now())
    }
    const fail = () => reject(new Error(`The IMAP server did not say ${pattern}: ${text}`))
    const timer = setTimeout(fail, WITHIN_MS)
    socket.on('data', read).on('close', fail).on('error', fail)
    return promise.finally(() => {
      clearTimeout(timer)
      socket.off('data', read).off('close', fail).off('error', fail)
    })
  }
  const command = async (text: string, answer: RegExp) => {
    const answered = said(answer)
    socket.write(`${text}\r\n`)
    await answered
  }
  await said(/^\* OK /m)
  await command(`a LOGIN "${user.user}" "${user.password}"`, /^a OK /m)
  await command('b SELECT INBOX', /^b OK /m)
  await command('c IDLE', /^\+ /m)
  socket.on('error', () => {})
  return { nextArrival: () => said(/^\* \d+ EXISTS/m), close: () => socket.destroy() }
}
