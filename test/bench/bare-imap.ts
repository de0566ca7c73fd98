import { once } from 'node:events'
import { connect } from 'node:net'

import type { Dovecot, DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'

const WITHIN_MS = 30_000

/** What the server said, and when it was complete, by `performance.now()`. */
interface Said {
  readonly text: string
  readonly atMs: number
}

/** A bare socket that has selected the inbox: what the server says, with nothing of ours between. */
export interface BareImap {
  /** What comes from now on, as soon as it matches. */
  said(pattern: RegExp): Promise<Said>
  /** Sends a command and waits for what matches; for the tagged OK unless told otherwise. */
  command(text: string, answer?: RegExp): Promise<Said>
  close(): void
}

/** Logs in without TLS and selects the inbox. */
export async function bareImap(dovecot: Dovecot, user: DovecotUser): Promise<BareImap> {
  const socket = connect(dovecot.imapPort, dovecot.host).setEncoding('latin1').setNoDelay()
  await once(socket, 'connect')
  const said = (pattern: RegExp) => {
    const { promise, resolve, reject } = Promise.withResolvers<Said>()
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      if (pattern.test(text)) resolve({ text, atMs: performance.now() })
    }
    const fail = () => reject(new Error(`The IMAP server did not say ${pattern}: ${text}`))
    const timer = setTimeout(fail, WITHIN_MS)
    socket.on('data', read).on('close', fail).on('error', fail)
    return promise.finally(() => {
      clearTimeout(timer)
      socket.off('data', read).off('close', fail).off('error', fail)
    })
  }
  let commands = 0
  const command = (text: string, answer?: RegExp) => {
    commands += 1
    const answered = said(answer ?? new RegExp(`^a${commands} OK [^\n]*\n`, 'm'))
    socket.write(`a${commands} ${text}\r\n`)
    return answered
  }
  await said(/^\* OK /m)
  await command(`LOGIN "${user.user}" "${user.password}"`)
  await command('SELECT INBOX')
  socket.on('error', () => {})
  return { said, command, close: () => socket.destroy() }
}
