import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { MailProbe, ProbedServer } from '../ports/mail-probe.ts'
import { guardedLookup, requireAllowedLiteral, type DialPolicy } from './guarded-lookup.ts'
import { connectionWords } from './connection-words.ts'

const REPLY_LENGTH_MAX = 8 * 1024

const GREETING = { imap: /^\* OK.*\r?\n/im, smtp: /^220[ -].*\r?\n/m } as const

/** What is said before TLS starts, and the reply that lets it go on (RFC 9051 section 6.2.1, RFC 3207). */
const STARTTLS = {
  imap: [{ say: 'a STARTTLS', hear: /^a OK.*\r?\n/im }],
  smtp: [
    { say: 'EHLO [127.0.0.1]', hear: /^250 .*\r?\n/m },
    { say: 'STARTTLS', hear: /^220 .*\r?\n/m },
  ],
} as const

/** Speaks just enough IMAP and SMTP to see that a server is there and its certificate is right. */
export function nodeMailProbe(policy: DialPolicy): MailProbe {
  return {
    async probe(server, deadlineMs) {
      const signal = AbortSignal.timeout(deadlineMs)
      let socket: Socket | undefined
      try {
        requireAllowedLiteral(server.host, policy)
        const where = { host: server.host, port: server.port, lookup: guardedLookup(policy) }
        socket =
          server.tls === 'implicit'
            ? connectTls({ ...where, ...serverName(server) })
            : connect(where)
        await greet(socket, server, signal)
        return { ok: true }
      } catch (error) {
        return { ok: false, reason: signal.aborted ? 'no answer in time' : connectionWords(error) }
      } finally {
        socket?.destroy()
      }
    },
  }
}

async function greet(socket: Socket, server: ProbedServer, signal: AbortSignal): Promise<void> {
  // Waiting below hears of an error too; this one is for an error that comes between two waits.
  socket.on('error', () => undefined)
  if (server.tls === 'implicit') await secured(socket as TLSSocket, signal)
  await reply(socket, GREETING[server.protocol], signal)
  if (server.tls === 'implicit') return
  for (const { say, hear } of STARTTLS[server.protocol]) {
    socket.write(`${say}\r\n`)
    await reply(socket, hear, signal)
  }
  await secured(connectTls({ socket, ...serverName(server) }), signal)
}

/** An address has no server name (RFC 6066 section 3); its certificate is checked all the same. */
const serverName = ({ host }: ProbedServer) => (isIP(host) ? { host } : { servername: host })

const secured = (socket: TLSSocket, signal: AbortSignal) =>
  once(socket, 'secureConnect', { signal })

/** Reads until `expected` was said. */
async function reply(socket: Socket, expected: RegExp, signal: AbortSignal): Promise<void> {
  let heard = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onData = (chunk: Buffer) => {
    heard += chunk.toString('latin1')
    if (expected.test(heard)) resolve()
    else if (heard.length > REPLY_LENGTH_MAX || /^(a )?(NO|BAD|[45]\d\d )/im.test(heard))
      reject(new Error('the server did not answer as a mail server does'))
  }
  const onEnd = () => reject(new Error('the server closed the connection'))
  const onAbort = () => reject(new Error('no answer in time'))
  socket.on('data', onData).once('close', onEnd).once('error', reject)
  signal.addEventListener('abort', onAbort, { once: true })
  socket.resume()
  try {
    await promise
  } finally {
    socket.off('data', onData).off('close', onEnd).off('error', reject)
    signal.removeEventListener('abort', onAbort)
    socket.pause()
  }
}
