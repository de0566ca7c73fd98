import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

const TIMEOUT_MS = 30_000

/** Speaks to one server over connections that stay open; light, so that it is the server that is measured. */
export interface HttpClient {
  /** The body of a 200; throws for any other answer. */
  get(path: string): Promise<Buffer>
  json<T>(path: string): Promise<T>
  close(): void
}

/** `token` is sent as the bearer token where there is one. */
export function httpClient(base: string, token?: string): HttpClient {
  const agent = new Agent({ keepAlive: true })
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const get = async (path: string) => {
    const asked = request(base + path, { agent, headers, timeout: TIMEOUT_MS })
    asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer`)))
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const body = await buffer(response)
    if (response.statusCode === 200) return body
    throw new Error(`${path}: ${response.statusCode} ${body.toString()}`)
  }
  return {
    get,
    json: async <T>(path: string) => JSON.parse((await get(path)).toString()) as T,
    close: () => agent.destroy(),
  }
}

/** How long each request took, one after the other, in milliseconds. */
export async function oneByOne(client: HttpClient, paths: readonly string[]): Promise<number[]> {
  const tookMs: number[] = []
  for (const path of paths) {
    const startMs = performance.now()
    await client.get(path)
    tookMs.push(performance.now() - startMs)
  }
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
