import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { ServerSettings } from '../../ports/mail-server.ts'
import { maskOfLogin } from '../mask-of-login.ts'
import { mailServerError } from './failure.ts'
import type { Patience } from './patience.ts'
import { deadline, step } from './step.ts'

const QUIT_TIMEOUT_MS = 1_000
/** The name under which nodemailer finds how an access token logs in. */
const BY_TOKEN = 'ACCESS-TOKEN'

/** A connection that has logged in. */
export interface Connection {
  readonly client: SMTPConnection
  /** Hides what logged in, wherever the server repeats it. */
  readonly mask: (text: string) => string
  /** Messages so far. */
  carried: number
  /** Whether another message may follow. */
  isGood: boolean
}

/** Connects, secures and logs in; throws a `MailServerError`. */
export async function openConnection(
  settings: ServerSettings,
  patience: Patience,
): Promise<Connection> {
  const client = new SMTPConnection(connectionOptions(settings, patience))
  // An error event without a listener ends the process, so the listener comes before the connection.
  client.on('error', () => {})
  const mask = maskOfLogin(settings.login)
  try {
    // Slower than the library's own deadlines, which say what took too long.
    const connectMs = patience.connectMs + patience.loginMs
    await step(client, deadline(connectMs), (done) => client.connect(done))
    await step(client, deadline(patience.loginMs), (done) =>
      client.login(authOf(settings), (error) => done(error)),
    )
    return { client, mask, carried: 0, isGood: true }
  } catch (error) {
    client.close()
    throw mailServerError(error, mask)
  }
}

/** Says goodbye; resolves when the connection has ended. */
export async function endConnection({ client }: Connection): Promise<void> {
  if (client.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => client.close(), QUIT_TIMEOUT_MS)
  client.once('end', resolve)
  client.quit()
  await promise
  clearTimeout(timer)
}

function connectionOptions({ host, port, tls }: ServerSettings, patience: Patience) {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    dnsTimeout: patience.dnsMs,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.greetingMs,
    // Every step has a deadline of its own.
    socketTimeout: patience.answerMs + patience.blockMs,
    // What ends a connection early must not look as if the data had ended.
    socketCloseTimeout: 0,
    customAuth: { [BY_TOKEN]: loginByToken },
  }
}

const authOf = ({ user, login }: ServerSettings) =>
  login.kind === 'oauth'
    ? { user, pass: login.accessToken, method: BY_TOKEN }
    : { user, pass: login.password }

interface TokenLogin {
  readonly credentials: { readonly user: string; readonly pass: string }
}

/** XOAUTH2; a server that says no says why first, and wants to hear an empty line (it would be asked again otherwise). */
async function loginByToken(context: {
  readonly auth: TokenLogin
  sendCommand(command: string): Promise<{ readonly status: number }>
}): Promise<void> {
  const { user, pass } = context.auth.credentials
  const response = Buffer.from(`user=${user}\x01auth=Bearer ${pass}\x01\x01`).toString('base64')
  let reply = await context.sendCommand(`AUTH XOAUTH2 ${response}`)
  if (reply.status === 334) reply = await context.sendCommand('')
  if (reply.status !== 235) throw new Error('Invalid login')
}
