import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { LOOPBACK } from '../../cli/commands/local/demo/loopback.ts'

/** A way to a server on which connections can be cut. */
export interface CuttableRelay {
  readonly host: string
  readonly port: number
  /** Cuts all connections. */
  cut(): void
  /** The same, as an error of each of them (RST). */
  reset(): void
  /** Cuts the next connection after so many bytes of the server. */
  cutNextAfter(bytes: number): void
  /** Cuts all, and takes no new ones until `open`. */
  shut(): void
  open(): void
  stop(): Promise<void>
}

export async function startCuttableRelay(to: {
  readonly host: string
  readonly port: number
}): Promise<CuttableRelay> {
  const sockets = new Set<Socket>()
  let isOpen = true
  let bytesOfNext: number | undefined
  const server = createServer((near) => {
    near.on('error', () => {})
    if (!isOpen) {
      near.destroy()
      return
    }
    const far = connect(to)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => sockets.delete(socket))
    }
    if (bytesOfNext === undefined) pipeline(near, far, near, () => {})
    else relayUpTo(bytesOfNext, near, far)
    bytesOfNext = undefined
  }).listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: LOOPBACK,
    port,
    cut,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    cutNextAfter(bytes) {
      bytesOfNext = bytes
    },
    shut() {
      isOpen = false
      cut()
    },
    open() {
      isOpen = true
    },
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

function relayUpTo(bytes: number, near: Socket, far: Socket): void {
  let left = bytes
  const end = () => {
    near.destroy()
    far.destroy()
  }
  near.pipe(far)
  far.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, left)
    left -= part.length
    near.write(part, () => left === 0 && end())
  })
  far.on('error', end).on('close', end)
  near.on('close', end)
}
