import { setTimeout as delay } from 'node:timers/promises'

import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { seededRandom } from '../../cli/commands/local/demo/random.ts'
import type { LabDovecot } from '../lab/dovecot.ts'
import { bareImap } from './bare-imap.ts'
import type { BareImap } from './bare-imap.ts'
import type { BenchDatabase } from './bench-database.ts'
import type { HttpClient } from './http-client.ts'
import { CHANGED_FLAGS, idleClient } from './idle-client.ts'
import type { IdleClient } from './idle-client.ts'
import { until } from './processes.ts'
import { readToggle } from './read-toggle.ts'
import type { Toggle } from './read-toggle.ts'
import { median, percentile } from './statistics.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'

const ROUNDS = 20
const MARKED_MESSAGES = 5
const WITHIN_MS = 30_000
const SEED = 11
const VISIBLE_BAR_MS = 100
const EVENT_BAR_MS = 60

/** A mailbox of the service, and the server that holds it. */
interface FlagTravelBench {
  readonly dovecot: LabDovecot
  readonly user: DovecotUser
  readonly api: HttpClient
  readonly database: BenchDatabase
  readonly ids: readonly number[]
}

/** Other clients of the same inbox: one idles, one asks again and again, one changes flags itself. */
interface OtherClients {
  readonly idle: IdleClient
  readonly asking: BareImap
  readonly storing: BareImap
}

/** From the start of a change until other clients know, in milliseconds. */
interface Travel {
  /** Until one that asks (NOOP) is told. */
  readonly askedMs: number
  /** Until one that idles is told. */
  readonly pushedMs: number
}

/** How soon a change made here is seen by other clients of the server, and how soon theirs is an event here. */
export async function measureFlagTravel(bench: FlagTravelBench): Promise<readonly Row[]> {
  const { dovecot, user, api, database, ids } = bench
  const [idle, asking, storing] = await Promise.all([
    idleClient(dovecot, user),
    bareImap(dovecot, user),
    bareImap(dovecot, user),
  ])
  const ours: Travel[] = []
  const theirs: Travel[] = []
  const eventMs: number[] = []
  const random = seededRandom(SEED)
  // Not in step with anything the service or the server does at fixed times.
  const pause = () => delay(random.integer(1_200, 2_400))
  try {
    const mark = await readToggle(api, ids.slice(0, MARKED_MESSAGES))
    const store = await storeToggle(storing)
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause()
      ours.push(await travelOf(mark, { idle, asking }))
      await pause()
      const eventAtMs = database.externalChangeAfter(await database.newestEvent())
      const startMs = performance.now()
      const travel = await travelOf(store, { idle, asking })
      theirs.push(travel)
      eventMs.push((await eventAtMs) - startMs - travel.pushedMs)
    }
  } finally {
    for (const client of [idle, asking, storing]) client.close()
  }
  return rowsOf({ ours, theirs, eventMs })
}

async function travelOf(
  change: () => Promise<unknown>,
  { idle, asking }: Pick<OtherClients, 'idle' | 'asking'>,
): Promise<Travel> {
  const startMs = performance.now()
  const [pushedAtMs, askedAtMs] = await Promise.all([
    idle.nextFlags(),
    until('changed flags', WITHIN_MS, async () => {
      const { text, atMs } = await asking.command('NOOP')
      return CHANGED_FLAGS.test(text) ? atMs : undefined
    }),
    change(),
  ])
  return { pushedMs: pushedAtMs - startMs, askedMs: askedAtMs - startMs }
}

/** Stars the oldest message and takes the star away in turns. */
async function storeToggle(imap: BareImap): Promise<Toggle> {
  const store = (sign: '+' | '-') => imap.command(`STORE 1 ${sign}FLAGS.SILENT (\\Flagged)`)
  await store('-')
  let isStarred = false
  return () => {
    isStarred = !isStarred
    return store(isStarred ? '+' : '-')
  }
}

interface Travels {
  readonly ours: readonly Travel[]
  readonly theirs: readonly Travel[]
  readonly eventMs: readonly number[]
}

function rowsOf({ ours, theirs, eventMs }: Travels): readonly Row[] {
  const askedMs = ours.map((travel) => travel.askedMs)
  const pushedMs = ours.map((travel) => travel.pushedMs)
  const floorAskedMs = theirs.map((travel) => travel.askedMs)
  const floorPushedMs = theirs.map((travel) => travel.pushedMs)
  const show = (values: readonly number[]) =>
    `${ms(median(values))} / ${ms(percentile(values, 0.95))}`
  return [
    {
      work: 'start of a PATCH to the changed flag at another client that asks (NOOP), p50 / p95',
      figure: show(askedMs),
      floor: `${show(floorAskedMs)} (STORE of a bare client to the same)`,
      ratio: number(median(askedMs) / median(floorAskedMs)),
      bar: `p50 ${ms(VISIBLE_BAR_MS)}`,
      met: median(askedMs) <= VISIBLE_BAR_MS,
    },
    {
      work: 'start of a PATCH to the push of the changed flag to another client that idles, p50 / p95',
      figure: show(pushedMs),
      floor: `${show(floorPushedMs)} (STORE of a bare client to the same)`,
      ratio: number(median(pushedMs) / median(floorPushedMs)),
      bar: `p50 ${ms(VISIBLE_BAR_MS)} above the floor`,
      met: median(pushedMs) - median(floorPushedMs) <= VISIBLE_BAR_MS,
    },
    {
      work: "the flag of another client in our events, later than the server's own push, p50 / p95",
      figure: show(eventMs),
      floor: `${show(floorPushedMs)} (STORE to push)`,
      bar: `p50 ${ms(EVENT_BAR_MS)}`,
      met: median(eventMs) <= EVENT_BAR_MS,
    },
  ]
}
