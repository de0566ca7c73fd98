import { startBareServer } from './bare-server.ts'
import { timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import type { Notmuch } from './notmuch.ts'
import { watched, watchOf } from './process-watch.ts'
import { say } from './say.ts'
import type { PairedQuery, QueryKind } from './search-queries.ts'
import type { Server } from './service.ts'

const LIMIT = 50
const WARM_UP = 20
const REQUESTS = 200
/** To start a program takes so much out of the processor's caches that whatever is asked next is slower by half. */
const REQUESTS_IN_TURN = 20
/** No word of the generated text has such letters. */
const NOWHERE = '"xyzzyx"'

/** A service started `watched`, and what holds the same mailbox. */
export interface SearchBench {
  readonly service: Server
  readonly directory: string
  readonly api: HttpClient
  /** Undefined where it is not here. */
  readonly notmuch: Notmuch | undefined
}

/** What queries of a kind took, in milliseconds: some of ours, some of notmuch's, in turns. */
export interface SearchSpeed {
  readonly kind: QueryKind
  /** When they were asked for the first time. */
  readonly firstMs: readonly number[]
  readonly oursMs: readonly number[]
  readonly notmuchMs: readonly number[]
  /** A request that only passes the gate. */
  readonly gateMs: readonly number[]
  /** A search of notmuch's that has nothing to find; and its program alone. */
  readonly nothingMs: readonly number[]
  readonly startMs: readonly number[]
  /** The longest of the handlers meanwhile, and of a process that did nothing. */
  readonly delayMs: number
  readonly idlerDelayMs: number
  /** How many answers were compared with notmuch's, and were the same messages in the same order. */
  readonly compared: number
  readonly equal: number
}

/**
 * Each query twice, those of a kind after those of the other: the first time much has to come from the disk. Before all
 * of them some of each kind, which do not count.
 */
export async function measureSearchSpeed(
  bench: SearchBench,
  kinds: readonly QueryKind[],
): Promise<readonly SearchSpeed[]> {
  const { directory, service } = bench
  const idler = await startBareServer(directory, watched(directory))
  const watch = async () => {
    const pids = [service.pid, idler.pid]
    const [handlers, idle] = await Promise.all(pids.map((pid) => watchOf(pid, directory)))
    return { delayMs: handlers?.delayMs.max ?? 0, idlerDelayMs: idle?.delayMs.max ?? 0 }
  }
  const speeds: SearchSpeed[] = []
  try {
    // A process that has just been started is slower, whatever it is asked.
    for (const { queries } of kinds)
      for (const { ours } of queries.slice(0, WARM_UP)) await search(bench.api, ours)
    for (const kind of kinds) {
      say(kind.what)
      const queries = kind.queries.slice(WARM_UP, WARM_UP + REQUESTS)
      await watch()
      const firstMs = await firstTime(bench, queries)
      const answers: Answered[] = []
      for (let from = 0; from < queries.length; from += REQUESTS_IN_TURN)
        answers.push(...(await inTurns(bench, queries.slice(from, from + REQUESTS_IN_TURN))))
      speeds.push({ kind, firstMs, ...speedOf(kind, answers), ...(await watch()) })
    }
    return speeds
  } finally {
    await idler.stop()
  }
}

/** What a query took each of both, and what it found. */
interface Answered extends OursAnswered {
  readonly peer?: PeerAnswered | undefined
}

interface OursAnswered {
  readonly query: PairedQuery
  readonly gateMs: number
  readonly oursMs: number
  readonly found: readonly string[]
}

interface PeerAnswered {
  readonly notmuchMs: number
  readonly nothingMs: number
  readonly startMs: number
  readonly found: readonly string[]
}

/** The newest messages that a query finds, as JSON. */
export const search = (api: HttpClient, query: string): Promise<Buffer> =>
  api.send('POST', '/api/v1/messages/search', { query, limit: LIMIT })

interface FoundPage {
  readonly data: readonly { readonly message_id: string }[]
}

async function firstTime(
  { api, notmuch }: SearchBench,
  queries: readonly PairedQuery[],
): Promise<readonly number[]> {
  const tookMs: number[] = []
  for (const { ours } of queries) tookMs.push(await timed(() => search(api, ours)))
  if (notmuch) for (const query of queries) await notmuch.search(query.notmuch, LIMIT)
  return tookMs
}

async function inTurns(
  { api, notmuch }: SearchBench,
  queries: readonly PairedQuery[],
): Promise<readonly Answered[]> {
  const ours: OursAnswered[] = []
  for (const query of queries) ours.push(await oursAnswered(api, query))
  const peers: PeerAnswered[] = []
  if (notmuch) for (const query of queries) peers.push(await peerAnswered(notmuch, query))
  return ours.map((answered, index) => ({ ...answered, peer: peers[index] }))
}

async function oursAnswered(api: HttpClient, query: PairedQuery): Promise<OursAnswered> {
  const gateMs = await timed(() => api.get('/api/v1/tokens/self'))
  let answer: Uint8Array = new Uint8Array()
  const oursMs = await timed(async () => {
    answer = await search(api, query.ours)
  })
  const page = JSON.parse(Buffer.from(answer).toString()) as FoundPage
  return { query, gateMs, oursMs, found: page.data.map(({ message_id: id }) => id) }
}

async function peerAnswered(notmuch: Notmuch, query: PairedQuery): Promise<PeerAnswered> {
  let found: readonly string[] = []
  const notmuchMs = await timed(async () => {
    found = await notmuch.search(query.notmuch, LIMIT)
  })
  const nothingMs = await timed(() => notmuch.search(NOWHERE, LIMIT))
  const startMs = await timed(() => notmuch.start())
  return { notmuchMs, nothingMs, startMs, found }
}

function speedOf({ isLooserThere }: QueryKind, answers: readonly Answered[]) {
  const peers = answers.flatMap(({ peer }) => (peer ? [peer] : []))
  const compared = isLooserThere ? [] : answers.filter(({ peer }) => peer)
  const isEqual = ({ found, peer }: Answered) => found.join(' ') === peer?.found.join(' ')
  const other = compared.find((answered) => !isEqual(answered))
  if (other)
    say(
      `${other.query.ours} finds ${other.found.length}, notmuch ${other.peer?.found.length} or others`,
    )
  return {
    oursMs: answers.map(({ oursMs }) => oursMs),
    gateMs: answers.map(({ gateMs }) => gateMs),
    notmuchMs: peers.map(({ notmuchMs }) => notmuchMs),
    nothingMs: peers.map(({ nothingMs }) => nothingMs),
    startMs: peers.map(({ startMs }) => startMs),
    compared: compared.length,
    equal: compared.filter(isEqual).length,
  }
}
