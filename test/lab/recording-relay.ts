import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'

/** A way to an IMAP server that keeps what goes over it. */
export interface RecordingRelay {
  readonly host: string
  readonly imapPort: number
  /** What the clients sent, command by command with its literals, each byte a character. */
  commands(): readonly string[]
  /** How the server ended each of them: `OK`, `NO` or `BAD`, and its words. */
  endings(): readonly string[]
  stop(): Promise<void>
}

/** What went over one connection, each byte a character. */
interface Recording {
  sent: string
  received: string
}

export async function startRecordingRelay(to: {
  readonly host: string
  readonly imapPort: number
}): Promise<RecordingRelay> {
  const sockets = new Set<Socket>()
  const recordings: Recording[] = []
  const server = createServer((near) => {
    const far = connect(to.imapPort, to.host)
    const recording = { sent: '', received: '' }
    recordings.push(recording)
    near.on('data', (chunk: Buffer) => (recording.sent += chunk.toString('latin1')))
    far.on('data', (chunk: Buffer) => (recording.received += chunk.toString('latin1')))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
      socket.pipe(other)
    }
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    host: LOOPBACK,
    imapPort: (server.address() as AddressInfo).port,
    commands: () => recordings.flatMap(({ sent }) => commandsIn(sent)),
    endings: () => recordings.flatMap(({ received }) => received.match(TAGGED) ?? []).map(ending),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const TAGGED = /^[A-Z0-9]+ (?:OK|NO|BAD) .*$/gm
const ending = (line: string) => line.slice(line.indexOf(' ') + 1)

/** A line that ends with the size of a literal goes on after that (RFC 9051 section 4.3). */
function commandsIn(sent: string): readonly string[] {
  const commands: string[] = []
  let start = 0
  let at = 0
  for (;;) {
    const end = sent.indexOf('\r\n', at)
    if (end < 0) return commands
    const size = /\{(\d+)\+?\}$/.exec(sent.slice(at, end))?.[1]
    at = end + 2 + Number(size ?? 0)
    if (size !== undefined) continue
    commands.push(sent.slice(start, end))
    start = at
  }
}
