import { once } from 'node:events'
import { connect } from 'node:net'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import type { LabSmtp } from '../lab/smtp.ts'

const WITHIN_MS = 30_000

/** A bare socket that has logged in to a submission server: the conversation alone, with nothing of ours around it. */
export interface BareSmtp {
  /** Hands a source over, each line ending in CRLF and none beginning with a dot; resolves when it is accepted. */
  send(smtpEnvelope: { readonly from: string; readonly to: string }, source: string): Promise<void>
  close(): void
}

/** Logs in without TLS. */
export async function bareSmtp({ host, port }: LabSmtp, user: DovecotUser): Promise<BareSmtp> {
  const socket = connect(port, host).setEncoding('latin1').setNoDelay()
  await once(socket, 'connect')
  const answered = (code: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      if (/^\d{3} [^\n]*\n/m.test(text)) done()
    }
    const done = () => (text.startsWith(String(code)) ? resolve() : fail())
    const fail = () => reject(new Error(`The SMTP server did not say ${code}: ${text}`))
    const timer = setTimeout(fail, WITHIN_MS)
    socket.on('data', read).on('close', fail).on('error', fail)
    return promise.finally(() => {
      clearTimeout(timer)
      socket.off('data', read).off('close', fail).off('error', fail)
    })
  }
  const say = (text: string, code: number) => {
    const answer = answered(code)
    socket.write(text)
    return answer
  }
  await answered(220)
  await say('EHLO bench.example\r\n', 250)
  const login = Buffer.from(`\0${user.user}\0${user.password}`).toString('base64')
  await say(`AUTH PLAIN ${login}\r\n`, 235)
  socket.on('error', () => {})
  return {
    async send({ from, to }, source) {
      await say(`MAIL FROM:<${from}>\r\n`, 250)
      await say(`RCPT TO:<${to}>\r\n`, 250)
      await say('DATA\r\n', 354)
      await say(`${source}\r\n.\r\n`, 250)
    },
    close: () => socket.destroy(),
  }
}
