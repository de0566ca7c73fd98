import { fileURLToPath } from 'node:url'

import { listStatement } from '../../domain/messages/list-query.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { httpClient, oneByOne, requestsPerSecond } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { listPath } from './mailbox.ts'
import { startServer } from './service.ts'
import { median, percentile } from './statistics.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'

const BARE_ROUTE = fileURLToPath(import.meta.resolve('./bare-route.ts'))
const LIMIT = 100
const SEQUENTIAL_REQUESTS = 500
const ROUNDS = 7
const ROUND = { connections: 10, forMs: 2_000 }
const P50_BAR_MS = 3
const RATIO_BAR = 0.6

/** How fast a page of the inbox is, alone and under load, beside a bare route with the same SQL and bytes. */
export async function measureListSpeed(
  directory: string,
  databaseUrl: string,
  api: HttpClient,
): Promise<readonly Row[]> {
  const server = await startServer(directory, [BARE_ROUTE], {
    healthPath: '/health',
    environmentOf: (port) => ({
      PORT: String(port),
      BENCH_DATABASE_URL: databaseUrl,
      BENCH_SQL: listSql(databaseUrl),
    }),
  })
  const bare = httpClient(server.url)
  try {
    await assertSameBytes(api, bare)
    return [await sequentialRow(api, bare), ...(await loadRows(api, bare))]
  } finally {
    bare.close()
    await server.stop()
  }
}

const MAPPED = `/list?limit=${LIMIT}`
const PREPARED = `/prepared?limit=${LIMIT}`

/** The text that the service runs for a page of all inboxes. */
function listSql(databaseUrl: string): string {
  const store = openFileStore(databaseUrl)
  const { sql } = listStatement(store.read, {
    folder: false,
    unread: undefined,
    starred: undefined,
    since: false,
    from: false,
    to: false,
    subject: false,
    cursor: false,
  }).toSQL()
  void store.close()
  return sql
}

async function assertSameBytes(api: HttpClient, bare: HttpClient): Promise<void> {
  const ours = await api.get(listPath(LIMIT))
  for (const path of [MAPPED, PREPARED])
    if (!ours.equals(await bare.get(path)))
      throw new Error(`The bare route ${path} answers other bytes than the service.`)
}

async function sequentialRow(api: HttpClient, bare: HttpClient): Promise<Row> {
  const paths = (path: string) => Array<string>(SEQUENTIAL_REQUESTS).fill(path)
  await oneByOne(api, paths(listPath(LIMIT)))
  await oneByOne(bare, paths(MAPPED))
  const ours = await oneByOne(api, paths(listPath(LIMIT)))
  const floor = await oneByOne(bare, paths(MAPPED))
  return {
    work: `GET /v1/messages?limit=${LIMIT}, one by one, p50 / p95`,
    figure: `${ms(median(ours))} / ${ms(percentile(ours, 0.95))}`,
    floor: `${ms(median(floor))} / ${ms(percentile(floor, 0.95))} (bare Hono route)`,
    ratio: number(median(ours) / median(floor)),
    bar: `p50 ${ms(P50_BAR_MS)}`,
    met: median(ours) <= P50_BAR_MS,
  }
}

/** Ours and the floors in turns, so that a change of the machine's mood meets all of them. */
async function loadRows(api: HttpClient, bare: HttpClient): Promise<readonly Row[]> {
  const rounds: { ours: number; mapped: number; prepared: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await requestsPerSecond(api, listPath(LIMIT), ROUND)
    const mapped = await requestsPerSecond(bare, MAPPED, ROUND)
    const prepared = await requestsPerSecond(bare, PREPARED, ROUND)
    // The first round warms all of them up.
    if (round > 0) rounds.push({ ours, mapped, prepared })
  }
  const ours = `${number(median(rounds.map((round) => round.ours)))} requests/s`
  const row = (floor: 'mapped' | 'prepared', said: string) => {
    const ratio = median(rounds.map((round) => round.ours / round[floor]))
    const shown = {
      work: `GET /v1/messages?limit=${LIMIT}, ${ROUND.connections} connections`,
      figure: ours,
      floor: `${number(median(rounds.map((round) => round[floor])))} requests/s (${said})`,
      ratio: number(ratio),
    }
    return { ratio, shown }
  }
  const mapped = row('mapped', 'bare Hono route, same SQL and bytes')
  const prepared = row('prepared', 'the same, its JSON made only once')
  return [
    { ...mapped.shown, bar: `ratio ${RATIO_BAR}`, met: mapped.ratio >= RATIO_BAR },
    prepared.shown,
  ]
}
