import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'

/** Where in a conversation the server is: its greeting, a command, or the end of the data. */
export type SmtpMoment =
  | 'greeting'
  | 'EHLO'
  | 'HELO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'end'
  | 'QUIT'

/** What the server does in place of the honest answer. */
export interface SmtpReaction {
  /** Lines without the last CRLF; absent: says nothing. */
  readonly say?: string
  /** Says it without the CRLF. */
  readonly isUnfinished?: boolean
  /** Cuts the connection, after it has said what it says. */
  readonly cut?: boolean
  readonly delayMs?: number
  /** Says nothing before this is settled. */
  readonly after?: Promise<unknown>
  /** Says each byte by itself, so many milliseconds apart. */
  readonly dripMs?: number
}

/** How the server misbehaves; what is absent it does as the RFC says. */
export interface SmtpScript {
  /** What it offers after EHLO. */
  readonly extensions?: readonly string[]
  /** `number` counts the commands of this kind on all connections, from 1. */
  react?(moment: SmtpMoment, line: string, number: number): SmtpReaction | undefined
  /** What it does when it has got so many bytes of the data. */
  readonly inData?: { readonly afterBytes: number } & SmtpReaction
}

/** A message whose end the server has seen, whatever it said of it. */
interface CompleteMessage {
  readonly mail: string
  readonly recipients: readonly string[]
  readonly source: Buffer
  /** Whether the server said that it takes it, or began to. */
  isTaken: boolean
}

/** A submission server without TLS that says and does what it is told; any login is good. */
export interface HostileSmtp {
  readonly host: string
  readonly port: number
  readonly complete: readonly CompleteMessage[]
  /** Lines of the client, the data left out. */
  readonly commands: readonly string[]
  /** Bytes of data, also of what has no end. */
  dataBytes(): number
  connections(): { readonly open: number; readonly mostOpen: number; readonly ever: number }
  /** From now on, also on open connections. */
  behave(script: SmtpScript): void
  stop(): Promise<void>
}

export const EXTENSIONS = [
  'PIPELINING',
  '8BITMIME',
  'SMTPUTF8',
  'SIZE 52428800',
  'AUTH PLAIN XOAUTH2',
]

interface State {
  script: SmtpScript
  readonly complete: CompleteMessage[]
  readonly commands: string[]
  readonly numbers: Map<SmtpMoment, number>
  dataBytes: number
}

export async function startHostileSmtp(script: SmtpScript = {}): Promise<HostileSmtp> {
  const state: State = { script, complete: [], commands: [], numbers: new Map(), dataBytes: 0 }
  const sockets = new Set<Socket>()
  let mostOpen = 0
  let ever = 0
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay())
    ever += 1
    mostOpen = Math.max(mostOpen, sockets.size)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void converse(socket, state)
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    host: LOOPBACK,
    port: (server.address() as AddressInfo).port,
    complete: state.complete,
    commands: state.commands,
    dataBytes: () => state.dataBytes,
    connections: () => ({ open: sockets.size, mostOpen, ever }),
    behave: (next) => {
      state.script = next
      state.numbers.clear()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function converse(socket: Socket, state: State): Promise<void> {
  const react = async (moment: SmtpMoment, line: string, honest: string) => {
    const number = (state.numbers.get(moment) ?? 0) + 1
    state.numbers.set(moment, number)
    const reaction = state.script.react?.(moment, line, number) ?? { say: honest }
    await perform(socket, reaction)
    return reaction.say ?? ''
  }
  const lines = linesOf(socket)
  await react('greeting', '', '220 lab ESMTP')
  let mail = ''
  let recipients: string[] = []
  for (;;) {
    const line = (await lines.next()).value?.toString()
    if (line === undefined) return
    state.commands.push(line)
    const moment = momentOf(line)
    const said = moment
      ? await react(moment, line, honestAnswer(moment, state, recipients))
      : await perform(socket, { say: '500 What?' })
    if (moment === 'QUIT' && said !== '') return void socket.end()
    if (moment === 'AUTH' && said?.startsWith('334')) {
      await lines.next()
      await perform(socket, { say: '535 5.7.8 Not accepted' })
    }
    const isTaken = said?.startsWith('2') === true
    if (moment === 'MAIL' && isTaken) [mail, recipients] = [line, []]
    if (moment === 'RCPT' && isTaken) recipients.push(/<(.*)>/.exec(line)?.[1] ?? '')
    if (moment !== 'DATA' || !/^[23]/.test(said ?? '')) continue
    const source = await readData(socket, lines, state)
    if (!source) return
    const message = { mail, recipients, source, isTaken: false }
    state.complete.push(message)
    recipients = []
    const answer = await react('end', '', '250 Taken')
    message.isTaken = answer.startsWith('2')
  }
}

function honestAnswer(
  moment: SmtpMoment,
  { script }: State,
  recipients: readonly string[],
): string {
  if (moment === 'EHLO') return ehlo(script.extensions ?? EXTENSIONS)
  if (moment === 'AUTH') return '235 Welcome'
  if (moment === 'DATA') return recipients.length > 0 ? '354 Go on' : '554 No valid recipients'
  if (moment === 'STARTTLS') return '502 No TLS here'
  return moment === 'QUIT' ? '221 Bye' : '250 OK'
}

const ehlo = (extensions: readonly string[]) =>
  ['lab', ...extensions]
    .map((text, index) => `250${index === extensions.length ? ' ' : '-'}${text}`)
    .join('\r\n')

const momentOf = (line: string): SmtpMoment | undefined =>
  (['EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'QUIT'] as const).find((verb) =>
    line.toUpperCase().startsWith(verb),
  )

async function perform(socket: Socket, reaction: SmtpReaction): Promise<undefined> {
  const { say, isUnfinished, cut, delayMs = 0, after, dripMs } = reaction
  if (delayMs > 0) await sleep(delayMs)
  await after
  const text = say === undefined ? '' : `${say}${isUnfinished ? '' : '\r\n'}`
  if (dripMs === undefined) socket.write(text)
  else
    for (const byte of text) {
      socket.write(byte)
      await sleep(dripMs)
    }
  if (cut) socket.end(() => socket.destroy())
}

/** The bytes of the message without the dots that SMTP adds; undefined where the end never comes. */
async function readData(
  socket: Socket,
  lines: AsyncGenerator<Buffer>,
  state: State,
): Promise<Buffer | undefined> {
  const { inData } = state.script
  const read: Buffer[] = []
  let bytes = 0
  for await (const line of { [Symbol.asyncIterator]: () => ({ next: () => lines.next() }) }) {
    if (line.toString('latin1') === '.') return Buffer.concat(read)
    const isBefore = bytes < (inData?.afterBytes ?? 0)
    bytes += line.length + 2
    state.dataBytes += line.length + 2
    if (inData && isBefore && bytes >= inData.afterBytes) await perform(socket, inData)
    read.push(line[0] === 46 ? line.subarray(1) : line, Buffer.from('\r\n'))
  }
  return undefined
}

/** Lines that end in CRLF: nothing else ends one. */
async function* linesOf(socket: Socket): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  try {
    for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk as Buffer])
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        yield rest.subarray(0, end)
        rest = rest.subarray(end + 2)
      }
    }
  } catch {
    // The client cut the connection.
  }
}
