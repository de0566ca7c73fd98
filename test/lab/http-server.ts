import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens on loopback until the test ends; returns host and port. */
export async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An HTTP server of one test; returns its URL. */
export const serve = async (answer: (...exchange: Parameters<RequestListener>) => unknown) =>
  `http://${await listening(createServer((...exchange) => void answer(...exchange)))}`

/** A server that sends these bytes whatever is asked, and `andThen` does the rest. */
export const serveBytes = async (
  bytes: string,
  andThen: (socket: Socket) => void = () => undefined,
) =>
  `http://${await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(bytes, 'latin1')
        andThen(socket)
      })
    }),
  )}`
