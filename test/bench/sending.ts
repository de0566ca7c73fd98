import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { LabSmtp } from '../lab/smtp.ts'
import { bareSmtp } from './bare-smtp.ts'
import { benchDirectory } from './bench-directory.ts'
import { addAccount, createToken } from './commands.ts'
import { httpClient, timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { startLabServers } from './lab-servers.ts'
import type { LabServers } from './lab-servers.ts'
import { measureLargeDelays, measureLargeSends } from './large-sends.ts'
import { watched } from './process-watch.ts'
import { until } from './processes.ts'
import { startService } from './service.ts'
import type { Environment } from './service.ts'
import { median, percentile } from './statistics.ts'
import { ms, number, seconds } from './table.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'

const SEND = '/api/v1/messages/send'
const RECIPIENT = 'grace@example.com'
const SENDS = 200
const ANSWERED_RATIO = 1.5
const ANSWERED_EXTRA_MS = 15
const SPREAD = 20
const SPREAD_AHEAD_MS = 2_000
const LATE_BAR_MS = 1_000
const SCHEDULED = 1_000
const SCHEDULED_AHEAD_MS = 30_000
const SCHEDULED_BAR_MS = 60_000
const CONNECTIONS_BAR = 5
const SETTLED_MS = 5_000
const WITHIN_MS = 180_000

/** Messages sent at once and later, and large ones, to a submission server of the same machine. */
export async function measureSending(stack: AsyncDisposableStack): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const servers = await startLabServers(stack)
  const { smtp } = servers
  const { api, user } = await startSending(stack, { directory, servers, name: 'data' })
  await delay(SETTLED_MS)

  const bare = await bareSmtp(smtp, user)
  stack.defer(() => bare.close())
  const rows = [
    await immediate(api, smtp, (source) => bare.send({ from: user.email, to: RECIPIENT }, source)),
    await spread(api, smtp),
    ...(await sameSecond(api, smtp)),
  ]
  const large = await startSending(stack, {
    directory,
    servers,
    name: 'watched',
    environment: watched(directory),
  })
  return [
    ...rows,
    ...(await measureLargeSends((own, name) => startSending(own, { directory, servers, name }))),
    ...(await measureLargeDelays(large, directory)),
  ]
}

interface SendingService {
  readonly directory: string
  readonly servers: LabServers
  /** Of its data directory. */
  readonly name: string
  readonly environment?: Environment
}

/** A service that has an account, and has synced it. */
async function startSending(
  stack: AsyncDisposableStack,
  { directory, servers, name, environment }: SendingService,
) {
  const { dovecot, smtp } = servers
  const dataDir = join(directory, name)
  const user = await servers.addUser()
  const service = await startService(directory, dataDir, environment)
  stack.defer(() => service.stop())
  const api = httpClient(service.url, await createToken(dataDir))
  stack.defer(() => api.close())
  const imap = { host: dovecot.host, port: dovecot.imapPort }
  await addAccount(dataDir, { imap, smtp, user })
  await untilSynced(api, { accounts: 1, messages: 0 })
  return { api, service, user, recipient: RECIPIENT }
}

const message = (subject: string) => ({
  to: [RECIPIENT],
  subject,
  body: 'The engine can do whatever we know how to order it to perform.\n',
})

/** In turns, so that both meet the same machine. */
async function immediate(
  api: HttpClient,
  smtp: LabSmtp,
  converse: (source: string) => Promise<void>,
): Promise<Row> {
  const answeredMs: number[] = []
  const conversationMs: number[] = []
  for (let n = 0; n < SENDS; n += 1) {
    answeredMs.push(await timed(() => api.send('POST', SEND, message(`Now ${n}`))))
    const source = smtp.accepted.at(-1)?.source.toString('latin1') ?? ''
    conversationMs.push(await timed(() => converse(source)))
  }
  const bar = ANSWERED_RATIO * median(conversationMs) + ANSWERED_EXTRA_MS
  return {
    work: `POST /v1/messages/send answered, ${SENDS} one by one, p50 / p95`,
    figure: show(answeredMs),
    floor: `${show(conversationMs)} (the SMTP conversation alone)`,
    ratio: number(median(answeredMs) / median(conversationMs)),
    bar: `p50 ${ms(bar)} (${ANSWERED_RATIO} of the floor and ${ms(ANSWERED_EXTRA_MS)})`,
    met: median(answeredMs) <= bar,
  }
}

/** Entries that are due one after the other. */
async function spread(api: HttpClient, smtp: LabSmtp): Promise<Row> {
  const dueMs = new Map<string, number>()
  for (let n = 0; n < SPREAD; n += 1) {
    const subject = `Later ${n}`
    const sendAtMs = Date.now() + SPREAD_AHEAD_MS + n * 137
    dueMs.set(subject, sendAtMs)
    await schedule(api, subject, sendAtMs)
  }
  const arrivedMs = await arrived(smtp, 'Later ', SPREAD)
  const lateMs = [...dueMs].map(([subject, sendAtMs]) => (arrivedMs.get(subject) ?? 0) - sendAtMs)
  return {
    work: `a scheduled message at the server, later than its send_at, ${SPREAD} of them, p50 / p95 / longest`,
    figure: `${show(lateMs)} / ${ms(Math.max(...lateMs))}`,
    bar: `each 0 to ${ms(LATE_BAR_MS)}`,
    met: Math.max(...lateMs) <= LATE_BAR_MS && Math.min(...lateMs) >= 0,
  }
}

async function sameSecond(api: HttpClient, smtp: LabSmtp): Promise<readonly Row[]> {
  const sendAtMs = Date.now() + SCHEDULED_AHEAD_MS
  for (let n = 0; n < SCHEDULED; n += 1) await schedule(api, `Together ${n}`, sendAtMs)
  const isInTime = Date.now() < sendAtMs
  const lastMs = Math.max(...(await arrived(smtp, 'Together ', SCHEDULED)).values())
  const tookMs = lastMs - sendAtMs
  return [
    {
      work: `${SCHEDULED} messages scheduled for the same second have left after`,
      figure: seconds(tookMs),
      bar: seconds(SCHEDULED_BAR_MS),
      met: isInTime && tookMs <= SCHEDULED_BAR_MS,
    },
    {
      work: 'the most connections to the SMTP server at once, one of them a bare client',
      figure: String(smtp.mostConnections()),
      bar: String(CONNECTIONS_BAR + 1),
      met: smtp.mostConnections() <= CONNECTIONS_BAR + 1,
    },
  ]
}

const schedule = (api: HttpClient, subject: string, sendAtMs: number) =>
  api.send('POST', SEND, {
    ...message(subject),
    schedule_at: new Date(sendAtMs).toISOString(),
  })

/** When the server had each of these messages, by subject; milliseconds UTC. */
const arrived = (
  smtp: LabSmtp,
  prefix: string,
  count: number,
): Promise<ReadonlyMap<string, number>> =>
  until(`${count} messages at the server`, WITHIN_MS, () => {
    const subjects = smtp.accepted.map(({ source, acceptedAtMs }) => {
      const subject = /^Subject: (.*)\r$/m.exec(source.toString('latin1', 0, 2_000))?.[1] ?? ''
      return [subject, acceptedAtMs] as const
    })
    const ours = new Map(subjects.filter(([subject]) => subject.startsWith(prefix)))
    return ours.size === count ? ours : undefined
  })

const show = (values: readonly number[]) =>
  `${ms(median(values))} / ${ms(percentile(values, 0.95))}`
