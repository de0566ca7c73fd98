import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'

/** Between an IMAP client and its server: sees when clients log in, and can cut their connections. */
export interface Relay {
  readonly host: string
  readonly imapPort: number
  /** When somebody last began to connect and to log in, in milliseconds UTC. */
  last(): { readonly connectedAtMs: number; readonly loginAtMs: number }
  /** Ends all connections with no word to anybody. */
  cut(): void
  stop(): Promise<void>
}

const LOGIN = /^\S+ (?:LOGIN|AUTHENTICATE) /im

export async function startRelay(imapPort: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let connectedAtMs = 0
  let loginAtMs = 0
  const server = createServer((client) => {
    connectedAtMs = Date.now()
    const upstream = connect(imapPort, LOOPBACK)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
    client.on('data', (chunk: Buffer) => {
      if (LOGIN.test(chunk.toString('latin1'))) loginAtMs = Date.now()
    })
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: LOOPBACK,
    imapPort: (server.address() as AddressInfo).port,
    last: () => ({ connectedAtMs, loginAtMs }),
    cut,
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
