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

/** What queries of a kind took, in milliseconds, all in turns. */
export interface SearchSpeed {
  readonly kind: QueryKind
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

/** Each query once, those of a kind after those of the other; before that the first of each kind, which do not count. */
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
      for (const query of queries.slice(0, WARM_UP)) await inTurns(bench, query)
    for (const kind of kinds) {
      say(kind.what)
      const { queries } = kind
      await watch()
      const turns: Turn[] = []
      for (const query of queries.slice(WARM_UP, WARM_UP + REQUESTS))
        turns.push(await inTurns(bench, query))
      speeds.push({ kind, ...speedOf(kind, turns), ...(await watch()) })
    }
    return speeds
  } finally {
    await idler.stop()
  }
}

interface Turn {
  readonly query: PairedQuery
  readonly gateMs: number
  readonly oursMs: number
  readonly found: readonly string[]
  readonly peer?: PeerTurn
}

interface PeerTurn {
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

async function inTurns({ api, notmuch }: SearchBench, query: PairedQuery): Promise<Turn> {
  const gateMs = await timed(() => api.get('/api/v1/tokens/self'))
  let answer: Uint8Array = new Uint8Array()
  const oursMs = await timed(async () => {
    answer = await search(api, query.ours)
  })
  const page = JSON.parse(Buffer.from(answer).toString()) as FoundPage
  const peer = notmuch && (await peerTurn(notmuch, query))
  const found = page.data.map(({ message_id: id }) => id)
  return { query, gateMs, oursMs, found, ...(peer && { peer }) }
}

async function peerTurn(notmuch: Notmuch, query: PairedQuery): Promise<PeerTurn> {
  let found: readonly string[] = []
  const notmuchMs = await timed(async () => {
    found = await notmuch.search(query.notmuch, LIMIT)
  })
  const nothingMs = await timed(() => notmuch.search(NOWHERE, LIMIT))
  const startMs = await timed(() => notmuch.start())
  return { notmuchMs, nothingMs, startMs, found }
}

function speedOf({ isLooserThere }: QueryKind, turns: readonly Turn[]) {
  const peers = turns.flatMap(({ peer }) => (peer ? [peer] : []))
  const compared = isLooserThere ? [] : turns.filter(({ peer }) => peer)
  const isEqual = ({ found, peer }: Turn) => found.join(' ') === peer?.found.join(' ')
  const other = compared.find((turn) => !isEqual(turn))
  if (other)
    say(
      `${other.query.ours} finds ${other.found.length}, notmuch ${other.peer?.found.length} or others`,
    )
  return {
    oursMs: turns.map(({ oursMs }) => oursMs),
    gateMs: turns.map(({ gateMs }) => gateMs),
    notmuchMs: peers.map(({ notmuchMs }) => notmuchMs),
    nothingMs: peers.map(({ nothingMs }) => nothingMs),
    startMs: peers.map(({ startMs }) => startMs),
    compared: compared.length,
    equal: compared.filter(isEqual).length,
  }
}
