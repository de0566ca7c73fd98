import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { LabServer, LabUser } from './lab-server.ts'
import { fromModifiedUtf7, toModifiedUtf7 } from './modified-utf7.ts'

/** A folder as the server has it. */
export interface ServerFolder {
  readonly uidValidity: string
  readonly messages: readonly ServerMessage[]
}

interface ServerMessage {
  readonly uid: number
  /** Sorted; without \Recent, which is of one session. */
  readonly flags: readonly string[]
  /** SHA-256 in lower-case hex. */
  readonly sourceHash: string
}

/** A response line; each literal in it stands as NUL, its index, NUL. */
interface Response {
  readonly line: string
  readonly literals: readonly Buffer[]
}

/** A logged-in IMAP client that shares no code with ours, for looking at what a server really has. */
export interface RawImap {
  /** Sends one command; throws what the server said unless that was OK. */
  command(text: string): Promise<readonly Response[]>
  close(): void
}

export async function rawImap(
  { host, imapPort }: Pick<LabServer, 'host' | 'imapPort'>,
  { user, password }: LabUser,
): Promise<RawImap> {
  const socket = connect(imapPort, host)
  // Its end shows as a response that does not come.
  socket.on('error', () => {})
  const read = responses(socket)
  await read.next()
  let count = 0
  const command = async (text: string) => {
    count += 1
    const tag = `r${count}`
    socket.write(`${tag} ${text}\r\n`)
    const untagged: Response[] = []
    for (;;) {
      const { value, done } = await read.next()
      if (done) throw new Error(`The server left at ${text}: ${untagged.at(-1)?.line}`)
      if (!value.line.startsWith(`${tag} `)) {
        untagged.push(value)
        continue
      }
      if (!value.line.startsWith(`${tag} OK`)) throw new Error(`${text}: ${value.line}`)
      return untagged
    }
  }
  await command(`LOGIN ${user} ${password}`)
  return { command, close: () => socket.destroy() }
}

/** All selectable folders with all their messages, by path. */
export async function readServer(imap: RawImap): Promise<Readonly<Record<string, ServerFolder>>> {
  const folders: Record<string, ServerFolder> = {}
  for (const response of await imap.command('LIST "" "*"')) {
    const [, attributes = '', , listed = ''] =
      /^\* LIST \(([^)]*)\) ("\S"|"\\\\"|NIL) (.*)$/.exec(response.line) ?? []
    if (/\\(Noselect|NonExistent)/i.test(attributes) || listed === '') continue
    folders[fromModifiedUtf7(text(response, listed))] = await readFolder(
      imap,
      text(response, listed),
    )
  }
  return folders
}

async function readFolder(imap: RawImap, name: string): Promise<ServerFolder> {
  const opened = await imap.command(`EXAMINE ${quoted(name)}`)
  const uidValidity = opened.flatMap(({ line }) => /UIDVALIDITY (\d+)/.exec(line)?.[1] ?? [])[0]
  const exists = opened.flatMap(({ line }) => /^\* (\d+) EXISTS/.exec(line)?.[1] ?? []).at(-1)
  const fetched = exists === '0' ? [] : await imap.command('UID FETCH 1:* (FLAGS BODY.PEEK[])')
  const messages = fetched.flatMap(({ line, literals }) => {
    const uid = /^\* \d+ FETCH .*\bUID (\d+)/.exec(line)?.[1]
    const source = literals[0]
    if (uid === undefined || source === undefined) return []
    const flags = /FLAGS \(([^)]*)\)/.exec(line)?.[1]?.split(' ').filter(Boolean) ?? []
    return [
      {
        uid: Number(uid),
        flags: flags.filter((flag) => flag !== '\\Recent').toSorted(),
        sourceHash: createHash('sha256').update(source).digest('hex'),
      },
    ]
  })
  return {
    uidValidity: uidValidity ?? '',
    messages: messages.toSorted((a, b) => a.uid - b.uid),
  }
}

/** A mailbox name as a command takes it (RFC 3501 section 5.1.3). */
export const mailboxName = (path: string) => quoted(toModifiedUtf7(path))

const quoted = (name: string) => `"${name.replaceAll(/["\\]/g, '\\$&')}"`

function text({ literals }: Response, given: string): string {
  if (given.startsWith('\0')) return String(literals[Number(given.slice(1, -1))])
  return given.startsWith('"') ? given.slice(1, -1).replaceAll(/\\(.)/g, '$1') : given
}

async function* responses(socket: Socket): AsyncGenerator<Response, undefined> {
  let pending = Buffer.alloc(0)
  let chunks: Buffer[] = []
  let ended = false
  let wakeUp = () => {}
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    wakeUp()
  })
  socket.on('close', () => {
    ended = true
    wakeUp()
  })
  const have = async (enough: () => boolean) => {
    for (;;) {
      if (chunks.length > 0) pending = Buffer.concat([pending, ...chunks])
      chunks = []
      if (enough()) return true
      if (ended) return false
      await new Promise<void>((resolve) => (wakeUp = resolve))
    }
  }
  for (;;) {
    let line = ''
    const literals: Buffer[] = []
    for (;;) {
      if (!(await have(() => pending.includes('\r\n')))) return undefined
      const end = pending.indexOf('\r\n')
      line += pending.subarray(0, end).toString('utf8')
      pending = pending.subarray(end + 2)
      const size = /\{(\d+)\}$/.exec(line)
      if (!size) break
      const length = Number(size[1])
      if (!(await have(() => pending.length >= length))) return undefined
      line = `${line.slice(0, size.index)}\0${literals.length}\0`
      literals.push(pending.subarray(0, length))
      pending = pending.subarray(length)
    }
    yield { line, literals }
  }
}
