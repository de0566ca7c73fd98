import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { callbackify, promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'

import { makeCertificate } from '../../cli/commands/local/demo/certificate.ts'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'

/** A reply that refuses, such as `{ code: 550, text: 'No such user' }`. */
interface SmtpReply {
  readonly code: number
  readonly text: string
}

/** Where the server says no; absent: it accepts. */
export interface Refusals {
  readonly connection?: SmtpReply
  readonly auth?: SmtpReply
  readonly mailFrom?: SmtpReply
  /** Per recipient, so that some can be refused. */
  readonly rcptTo?: (address: string) => SmtpReply | undefined
  readonly data?: SmtpReply
}

export interface SmtpOptions {
  /**
   * `starttls` offers it and takes logins without it too, `none` does not offer it, `implicit` is TLS from the
   * first byte, `broken` offers STARTTLS and then speaks only a TLS version that no client takes.
   */
  readonly tls?: 'starttls' | 'none' | 'implicit' | 'broken'
  /** Passwords by user name. */
  readonly users?: Readonly<Record<string, string>>
  /** Where what it has taken goes on to, before it says that it has. */
  readonly deliver?: (message: AcceptedMessage) => Promise<void>
  /** How long it thinks before it says that it has taken a message, in milliseconds. */
  readonly answersAfterMs?: () => number
  /** Whether an access token lets this user in (XOAUTH2); none does unless told. */
  readonly isGoodToken?: (user: string, accessToken: string) => boolean
}

/** A message the server took responsibility for. */
interface AcceptedMessage {
  readonly user: string
  readonly secure: boolean
  readonly smtpEnvelope: { readonly from: string; readonly to: readonly string[] }
  readonly source: Buffer
  /** When it had the last byte; milliseconds UTC. */
  readonly acceptedAtMs: number
}

/** A submission server of one test. */
export interface LabSmtp {
  readonly host: string
  readonly port: number
  readonly caFile: string
  readonly accepted: readonly AcceptedMessage[]
  /** The most connections that there were at once. */
  mostConnections(): number
  /** From now on refuses this, and accepts whatever is absent from it. */
  refuse(refusals: Refusals): void
  stop(): Promise<void>
}

/** Starts a submission server that demands a login; the user `sender` with the password `secret` unless told. */
export async function startLabSmtp(options: SmtpOptions = {}): Promise<LabSmtp> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-smtp-'))
  const certificate = await makeCertificate(directory)
  const accepted: AcceptedMessage[] = []
  let refusals: Refusals = {}
  const server = new SMTPServer({
    ...(await tlsOptions(options.tls ?? 'starttls', certificate)),
    ...handlers(options, accepted, () => refusals),
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
  })
  // A client that ends the connection after a refusal is what tests are about.
  server.on('error', () => {})
  const listening = server.listen(0, LOOPBACK)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  let connections = 0
  let mostConnections = 0
  listening.on('connection', (socket: Socket) => {
    // Its answers to commands that came together would wait for one another.
    socket.setNoDelay()
    connections += 1
    mostConnections = Math.max(mostConnections, connections)
    socket.once('close', () => (connections -= 1))
  })
  const close = promisify((done: () => void) => server.close(done))
  const stop = async () => {
    await close()
    await rm(directory, { recursive: true, force: true })
  }
  return {
    host: LOOPBACK,
    port,
    caFile: certificate.caFile,
    accepted,
    mostConnections: () => mostConnections,
    refuse: (next) => {
      refusals = next
    },
    stop,
  }
}

async function tlsOptions(
  tls: NonNullable<SmtpOptions['tls']>,
  files: { keyFile: string; certFile: string },
): Promise<SMTPServerOptions> {
  const key = await readFile(files.keyFile)
  const cert = await readFile(files.certFile)
  const variants: Record<typeof tls, SMTPServerOptions> = {
    starttls: { key, cert },
    none: { disabledCommands: ['STARTTLS'] },
    implicit: { key, cert, secure: true },
    broken: { key, cert, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' },
  }
  return variants[tls]
}

function handlers(
  { users = { sender: 'secret' }, isGoodToken = () => false, deliver, answersAfterMs }: SmtpOptions,
  accepted: AcceptedMessage[],
  refusals: () => Refusals,
): SMTPServerOptions {
  const take = callbackify(async (stream: Readable, session: SMTPServerSession) => {
    const { envelope, secure, user } = session
    const source = await buffer(stream)
    const error = refusal(refusals().data)
    if (error !== null) throw error
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
    const to = envelope.rcptTo.map(({ address }) => address)
    const acceptedAtMs = Date.now()
    const message = { user: String(user), secure, smtpEnvelope: { from, to }, source, acceptedAtMs }
    accepted.push(message)
    await deliver?.(message)
    if (answersAfterMs) await delay(answersAfterMs())
    return 'Accepted'
  })
  return {
    onConnect: (_session, done) => done(refusal(refusals().connection)),
    onAuth({ username = '', password, accessToken }, _session, done) {
      const isKnown =
        accessToken === undefined
          ? users[username] !== undefined && users[username] === password
          : isGoodToken(username, accessToken)
      const reply = refusals().auth ?? (isKnown ? undefined : { code: 535, text: 'Wrong password' })
      if (reply === undefined) done(null, { user: username })
      else done(refusal(reply))
    },
    onMailFrom: (_address, _session, done) => done(refusal(refusals().mailFrom)),
    onRcptTo: ({ address }, _session, done) => done(refusal(refusals().rcptTo?.(address))),
    onData: (stream, session, done) => take(stream, session, done),
  }
}

function refusal(reply: SmtpReply | undefined): Error | null {
  return reply === undefined
    ? null
    : Object.assign(new Error(reply.text), { responseCode: reply.code })
}
