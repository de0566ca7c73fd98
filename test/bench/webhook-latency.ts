import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { HttpClient } from './http-client.ts'
import { idleClient } from './idle-client.ts'
import type { LabServers } from './lab-servers.ts'
import { newMessage } from './new-message.ts'
import { median, percentile } from './statistics.ts'
import { ms } from './table.ts'
import type { Row } from './table.ts'

const MAILS = 60
const EVERY_MS = 1_000
const WITHIN_MS = 60_000
const SEED = 11
const P50_BAR_MS = 80
const P95_BAR_MS = 250

interface Mailbox {
  readonly api: HttpClient
  readonly servers: LabServers
  readonly user: Awaited<ReturnType<LabServers['addUser']>>
}

/** How much later than the server's own push of a new mail its webhook is received. */
export async function measureWebhookLatency(mailbox: Mailbox): Promise<readonly Row[]> {
  const { api, servers, user } = mailbox
  const received = await startReceiver()
  await api.send('POST', '/api/v1/webhooks', { url: received.url, events: ['message.received'] })
  const idle = await idleClient(servers.dovecot, user)
  const random = seededRandom(SEED)
  const one = async (subject: string) => {
    const [pushedAtMs, receivedAtMs] = await Promise.all([
      idle.nextArrival(),
      received.of(subject),
      servers.dovecot.deliver(user, newMessage(subject)),
    ])
    return receivedAtMs - pushedAtMs
  }
  try {
    const aloneMs: number[] = []
    for (let n = 0; n < MAILS; n += 1) {
      // Not in step with anything the service does at fixed times.
      await delay(random.integer(600, 1_800))
      aloneMs.push(await one(`Alone ${n}`))
    }
    const streamMs: number[] = []
    for (let n = 0; n < MAILS; n += 1) {
      const next = delay(EVERY_MS)
      streamMs.push(await one(`Stream ${n}`))
      await next
    }
    return [row('alone', aloneMs), row('one a second', streamMs)]
  } finally {
    idle.close()
    received.close()
  }
}

function row(how: string, tookMs: readonly number[]): Row {
  const [p50, p95] = [median(tookMs), percentile(tookMs, 0.95)]
  return {
    work: `new mail received by its webhook, later than the server's own push, ${how}, ${MAILS} of them, p50 / p95`,
    figure: `${ms(p50)} / ${ms(p95)}`,
    bar: `${ms(P50_BAR_MS)} / ${ms(P95_BAR_MS)}`,
    met: p50 <= P50_BAR_MS && p95 <= P95_BAR_MS,
  }
}

/** Notes when the webhook about each message has come whole. */
async function startReceiver() {
  const arrivals = new Map<string, PromiseWithResolvers<number>>()
  const arrivalOf = (subject: string) => {
    const known = arrivals.get(subject) ?? Promise.withResolvers<number>()
    arrivals.set(subject, known)
    return known
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const atMs = performance.now()
      response.end()
      const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { data: { subject: string } }
      arrivalOf(data.subject).resolve(atMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    of: async (subject: string): Promise<number> => {
      const late = delay(WITHIN_MS, undefined, { ref: false }).then(() => {
        throw new Error(`There was no webhook about ${subject}.`)
      })
      return Promise.race([arrivalOf(subject).promise, late])
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
