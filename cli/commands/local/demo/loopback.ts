import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export const LOOPBACK = '127.0.0.1'

/** Ports that nobody listened on a moment ago; another process may still be faster. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, LOOPBACK))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** What a server on `port` says first; undefined when nobody answers within a second. */
export function greetingOf(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK)
    const settle = (greeting?: string) => {
      socket.destroy()
      resolve(greeting)
    }
    socket.setTimeout(1_000, settle)
    socket.once('error', () => settle())
    socket.once('close', () => settle())
    socket.once('data', (data) => settle(data.toString('latin1')))
  })
}
