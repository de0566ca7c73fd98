import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'
import type { LabUser } from './lab-server.ts'
import type { ServerFolder } from './raw-imap.ts'

/** A command of the client. */
export interface HostileRequest {
  readonly tag: string
  /** In upper case, with UID before it where it is a UID command. */
  readonly command: string
  readonly args: string
  /** Which command of its connection it is, from 1. */
  readonly number: number
}

/** How the server misbehaves; what is absent it does as the RFC says. */
export interface Misbehaviour {
  /** Null: none at all. */
  readonly greeting?: string | null
  readonly capability?: string
  /** What is sent in place of the honest answer; the connection ends after `undefined`. */
  answer?(request: HostileRequest, honest: string): string | undefined
  /** The connection is cut after so many bytes of the server. */
  readonly bytesMax?: number
  /** Every byte of the text is sent by itself, so many milliseconds apart; undefined sends it at once. */
  dripMs?(text: string): number | undefined
}

/** A scripted IMAP server with two folders, which is honest until it is told otherwise. */
export interface HostileImap {
  readonly host: string
  readonly imapPort: number
  readonly user: LabUser
  /** Connections so far. */
  connections(): number
  /** Bytes sent over the last connection. */
  bytesSent(): number
  /** From now on, also on open connections; on so many new ones, or all. */
  behave(misbehaviour: Misbehaviour, newConnections?: number): void
  /** Cuts all connections. */
  cut(): void
  /** What it really holds. */
  mailbox(): Readonly<Record<string, ServerFolder>>
  stop(): Promise<void>
}

interface Message {
  readonly uid: number
  readonly source: string
}

interface Connection {
  readonly socket: Socket
  selected: readonly Message[]
  sent: number
}

const UIDVALIDITY = 4_711
const CAPABILITY = 'IMAP4rev1 IDLE'
const FLAGS = ['\\Flagged', '\\Seen']

const messages = (folder: string, count: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) => ({
    uid: index * 2 + 1,
    source: `Subject: ${folder} ${index}\r\nMessage-ID: <${folder}-${index}@example.org>\r\n\r\nText.\r\n`,
  }))

const FOLDERS: Readonly<Record<string, readonly Message[]>> = {
  INBOX: messages('INBOX', 5),
  Work: messages('Work', 3),
}

export async function startHostileImap(): Promise<HostileImap> {
  let misbehaviour: Misbehaviour = {}
  let misbehavesUntil = 0
  let connections = 0
  const open = new Set<Connection>()
  let last: Connection | undefined
  const server = createServer((socket) => {
    connections += 1
    const connection = { socket, selected: [], sent: 0 }
    const number = connections
    last = connection
    open.add(connection)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(connection))
    // The reader of lines passes on what went wrong with the connection.
    serve(connection, () => (number <= misbehavesUntil ? misbehaviour : {})).catch(() =>
      socket.destroy(),
    )
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  const cut = () => {
    for (const { socket } of open) socket.destroy()
  }
  return {
    host: LOOPBACK,
    imapPort: (server.address() as AddressInfo).port,
    user: { user: 'ada', password: 'secret', email: 'ada@example.org' },
    connections: () => connections,
    bytesSent: () => last?.sent ?? 0,
    behave: (next, newConnections = Number.POSITIVE_INFINITY) => {
      misbehaviour = next
      misbehavesUntil = connections + newConnections
    },
    cut,
    mailbox: () =>
      Object.fromEntries(Object.entries(FOLDERS).map(([path, all]) => [path, folder(all)])),
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

const folder = (all: readonly Message[]): ServerFolder => ({
  uidValidity: String(UIDVALIDITY),
  messages: all.map(({ uid, source }) => ({
    uid,
    flags: FLAGS,
    sourceHash: createHash('sha256').update(source).digest('hex'),
  })),
})

async function serve(connection: Connection, misbehaviour: () => Misbehaviour): Promise<void> {
  const { socket } = connection
  const say = (text: string) => send(connection, text, misbehaviour())
  const { greeting = '* OK ready' } = misbehaviour()
  if (greeting !== null) await say(`${greeting}\r\n`)
  let number = 0
  let idleTag = ''
  for await (const line of createInterface({ input: socket })) {
    if (socket.destroyed) return
    const [, tag = '', command = '', args = ''] =
      /^(\S+)(?: ((?:UID )?\S+))? ?(.*)$/i.exec(line) ?? []
    number += 1
    const isDone = tag.toUpperCase() === 'DONE'
    const request = isDone
      ? { tag: idleTag, command: 'DONE', args: '', number }
      : { tag, command: command.toUpperCase(), args, number }
    if (request.command === 'IDLE') idleTag = tag
    const honest = honestAnswer(connection, request, misbehaviour().capability ?? CAPABILITY)
    const current = misbehaviour()
    const text = current.answer ? current.answer(request, honest) : honest
    if (text === undefined) {
      socket.destroy()
      return
    }
    await say(text)
    if (text.includes('* BYE')) socket.end()
  }
}

async function send(
  connection: Connection,
  text: string,
  misbehaviour: Misbehaviour,
): Promise<void> {
  const { bytesMax = Number.POSITIVE_INFINITY } = misbehaviour
  const dripMs = misbehaviour.dripMs?.(text)
  const { socket } = connection
  const bytes = Buffer.from(text, 'latin1').subarray(0, bytesMax - connection.sent)
  connection.sent += bytes.length
  if (dripMs === undefined) socket.write(bytes)
  else {
    for (const byte of bytes) {
      if (socket.destroyed) return
      socket.write(Buffer.from([byte]))
      await sleep(dripMs)
    }
  }
  if (bytes.length < text.length) socket.destroySoon()
}

function honestAnswer(
  connection: Connection,
  { tag, command, args }: HostileRequest,
  capability: string,
): string {
  const ok = `${tag} OK ${command} completed\r\n`
  switch (command) {
    case 'CAPABILITY':
      return `* CAPABILITY ${capability}\r\n${ok}`
    case 'LIST':
    case 'LSUB':
      return args.endsWith('""')
        ? `* ${command} (\\Noselect) "/" ""\r\n${ok}`
        : Object.keys(FOLDERS)
            .map((path) => `* ${command} () "/" ${path}\r\n`)
            .join('') + ok
    case 'STATUS':
      return `* STATUS ${status(args)}\r\n${ok}`
    case 'SELECT':
    case 'EXAMINE':
      connection.selected = FOLDERS[args.replaceAll('"', '')] ?? []
      return `${opened(connection.selected)}${tag} OK [READ-WRITE] Selected\r\n`
    case 'SEARCH':
    case 'UID SEARCH':
      return `* SEARCH ${connection.selected.map(({ uid }) => uid).join(' ')}\r\n${ok}`
    case 'FETCH':
    case 'UID FETCH':
      return `${fetched(connection.selected, args)}${ok}`
    case 'IDLE':
      return '+ idling\r\n'
    case 'LOGOUT':
      return `* BYE Logging out\r\n${ok}`
    default:
      return ok
  }
}

const nextUid = (all: readonly Message[]) => (all.at(-1)?.uid ?? 0) + 1

const opened = (all: readonly Message[]) =>
  `* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)\r\n* ${all.length} EXISTS\r\n* 0 RECENT\r\n` +
  `* OK [UIDVALIDITY ${UIDVALIDITY}] UIDs valid\r\n* OK [UIDNEXT ${nextUid(all)}] Predicted\r\n`

function status(args: string): string {
  const path = args.split(' ')[0]?.replaceAll('"', '') ?? ''
  const all = FOLDERS[path] ?? []
  return `${path} (MESSAGES ${all.length} UIDNEXT ${nextUid(all)} UIDVALIDITY ${UIDVALIDITY})`
}

function fetched(all: readonly Message[], args: string): string {
  const [set = '', ...items] = args.split(' ')
  const isWanted = (uid: number) =>
    set.split(',').some((range) => {
      const [from, to = from] = range
        .split(':')
        .map((end) => (end === '*' ? nextUid(all) - 1 : Number(end)))
      return uid >= (from ?? 0) && uid <= (to ?? 0)
    })
  return all
    .map(({ uid, source }, index) => {
      if (!isWanted(uid)) return ''
      const body = items.join(' ').includes('BODY')
        ? ` INTERNALDATE "01-Mar-2026 12:00:00 +0000" BODY[] {${source.length}}\r\n${source}`
        : ''
      return `* ${index + 1} FETCH (UID ${uid} FLAGS (${FLAGS.join(' ')})${body})\r\n`
    })
    .join('')
}
