import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { SERVICE_NAME, SERVICE_VERSION } from '../../domain/identity.ts'
import { urlRefusal } from '../../domain/outbound/refusal.ts'
import type {
  Outbound,
  OutboundAnswer,
  OutboundFailure,
  OutboundReply,
  OutboundRequest,
} from '../ports/outbound.ts'
import {
  guardedLookup,
  RefusedAddress,
  requireAllowedLiteral,
  type DialPolicy,
} from './guarded-lookup.ts'
import { redirectOf, RefusedRedirect, type Redirect } from './redirect.ts'
import { connectionWords } from './connection-words.ts'

/** Shorter than servers keep a connection, so that it seldom breaks under the next request. */
const IDLE_CONNECTION_MS = 4_000
const HEADER_BYTES_MAX = 16 * 1024

interface Exchange {
  readonly request: OutboundRequest
  readonly agents: Agents
  readonly signal: AbortSignal
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** HTTP over node:http. Agents of its own, so that proxies named in the environment have no say. */
export function nodeOutbound(policy: DialPolicy): Outbound {
  const options = {
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    lookup: guardedLookup(policy),
  }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  return {
    async send(request, callerSignal) {
      const deadline = AbortSignal.timeout(request.limits.deadlineMs)
      const signal = callerSignal ? AbortSignal.any([deadline, callerSignal]) : deadline
      try {
        return await follow({ request, agents, signal }, policy)
      } catch (error) {
        if (deadline.aborted) return timedOut(request)
        if (signal.aborted) return { status: null, failure: 'timeout', reason: 'called off' }
        return failure(error)
      }
    },
  }
}

async function follow(exchange: Exchange, policy: DialPolicy): Promise<OutboundReply> {
  const { request } = exchange
  let url = URL.parse(request.url)
  for (let hop = 0; ; hop++) {
    if (url === null) throw new RefusedAddress('this is not a URL')
    const refusal = urlRefusal(url)
    if (refusal !== undefined) throw new RefusedAddress(refusal)
    requireAllowedLiteral(url.hostname.replace(/^\[|\]$/g, ''), policy)
    const answer = await fetchOnce(url, exchange)
    if (!('redirectTo' in answer)) return answer
    if (hop >= request.limits.redirectsMax)
      throw new RefusedRedirect(answer.redirectTo, 'one redirect too many')
    url = answer.redirectTo
  }
}

async function fetchOnce(url: URL, exchange: Exchange): Promise<OutboundAnswer | Redirect> {
  const { request } = exchange
  const response = await responseTo(url, exchange)
  const { statusCode: status = 0, headers } = response
  try {
    const redirect = redirectOf({ method: request.method, url, status, location: headers.location })
    if (redirect) return redirect
    const { body, truncated } = await bodyOf(response, request.limits.replyBytesMax)
    return { status, headers: flat(response), body, truncated }
  } finally {
    if (!response.readableEnded) response.destroy()
  }
}

/** Goes on to a new connection when a kept one turns out to be dead. */
async function responseTo(url: URL, exchange: Exchange): Promise<IncomingMessage> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = start(url, exchange)
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(exchange.request.body)
    try {
      return await promise
    } catch (error) {
      const isStale =
        outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (!isStale || exchange.signal.aborted) throw error
    }
  }
}

function start(url: URL, { request, agents, signal }: Exchange) {
  const options = {
    method: request.method,
    headers: {
      'user-agent': `${SERVICE_NAME}/${SERVICE_VERSION}`,
      'accept-encoding': 'identity',
      ...request.headers,
    },
    maxHeaderSize: HEADER_BYTES_MAX,
    signal,
  }
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent: agents.https })
    : httpRequest(url, { ...options, agent: agents.http })
}

async function bodyOf(
  response: IncomingMessage,
  bytesMax: number,
): Promise<Pick<OutboundAnswer, 'body' | 'truncated'>> {
  const kept: Buffer[] = []
  let room = bytesMax
  for await (const chunk of response as AsyncIterable<Buffer>) {
    kept.push(chunk.subarray(0, room))
    room -= chunk.length
    if (room <= 0) break
  }
  return { body: Buffer.concat(kept), truncated: room < 0 || !response.complete }
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )

const timedOut = ({ limits }: OutboundRequest): OutboundFailure => ({
  status: null,
  failure: 'timeout',
  reason: `no complete reply within ${limits.deadlineMs / 1000} s`,
})

function failure(error: unknown): OutboundFailure {
  if (error instanceof RefusedAddress)
    return { status: null, failure: 'refused', reason: error.message }
  if (error instanceof RefusedRedirect)
    return { status: null, failure: 'redirect', reason: error.message }
  if (error instanceof TypeError) throw error
  return { status: null, failure: 'transport', reason: connectionWords(error) }
}
