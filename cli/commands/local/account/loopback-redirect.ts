import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandFailed } from '../../../exit.ts'

const WAIT_MS = 10 * 60_000

/** A listener on this machine for a browser that comes back from a provider (RFC 8252 section 7.3). */
interface RedirectListener {
  readonly port: number
  /** The query of the first redirect that is ours; anything else is refused and changes nothing. */
  redirect(isOurs: (query: URLSearchParams) => boolean): Promise<URLSearchParams>
  close(): void
}

/** Listens on a free port of loopback. */
export async function listenForRedirect(): Promise<RedirectListener> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    redirect(isOurs) {
      const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
      const timer = setTimeout(
        () => reject(new CommandFailed('Nobody authorised it in time.')),
        WAIT_MS,
      )
      server.on('request', ({ url = '' }, response) => {
        const asked = URL.parse(url, 'http://localhost')
        if (!asked) return answer(response, 400, 'This is no address.')
        const { pathname, searchParams } = asked
        if (pathname !== '/' || !isOurs(searchParams)) return answer(response, 404, 'Not found.')
        answer(response, 200, 'That was all: close this page and go back to the terminal.')
        resolve(searchParams)
      })
      return promise.finally(() => clearTimeout(timer))
    },
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}

/** Closes the connection, which would keep the program from ending. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`${text}\n`)
}
