import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

const TIMEOUT_MS = 30_000

/** Speaks to one server over connections that stay open; light, so that it is the server that is measured. */
export interface HttpClient {
  /** The body of a 2xx; throws for any other answer. */
  get(path: string): Promise<Buffer>
  json<T>(path: string): Promise<T>
  /** Sends JSON; resolves when a 2xx has been read whole, throws for any other answer. */
  send(method: 'PATCH' | 'POST', path: string, body: unknown): Promise<Buffer>
  close(): void
}

/** `token` is sent as the bearer token where there is one. */
export function httpClient(base: string, token?: string): HttpClient {
  const agent = new Agent({ keepAlive: true })
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const answer = async (method: string, path: string, body?: string) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const options = { agent, method, headers: { ...headers, ...type }, timeout: TIMEOUT_MS }
    const asked = request(base + path, options)
    asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer`)))
    asked.end(body)
    // A server that has answered may close before it has read everything: what it said counts.
    asked.on('error', () => undefined)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const content = await buffer(response)
    const { statusCode = 0 } = response
    if (statusCode >= 200 && statusCode < 300) return content
    throw new Error(`${path}: ${statusCode} ${content.toString()}`)
  }
  const get = (path: string) => answer('GET', path)
  return {
    get,
    json: async <T>(path: string) => JSON.parse((await get(path)).toString()) as T,
    send: (method, path, body) => answer(method, path, JSON.stringify(body)),
    close: () => agent.destroy(),
  }
}

/** How long one request took, in milliseconds. */
export async function timed(request: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await request()
  return performance.now() - startMs
}

/** How long each request took, one after the other, in milliseconds. */
export async function oneByOne(client: HttpClient, paths: readonly string[]): Promise<number[]> {
  const tookMs: number[] = []
  for (const path of paths) tookMs.push(await timed(() => client.get(path)))
  return tookMs
}

/** Requests answered per second when `connections` ask again as soon as they are answered. */
export async function requestsPerSecond(
  client: HttpClient,
  path: string,
  { connections, forMs }: { readonly connections: number; readonly forMs: number },
): Promise<number> {
  let answered = 0
  const startMs = performance.now()
  const askOn = async () => {
    while (performance.now() - startMs < forMs) {
      await client.get(path)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, askOn))
  return answered / ((performance.now() - startMs) / 1_000)
}
