import type { SearchSpeed } from './search-speed.ts'
import { median, percentile } from './statistics.ts'
import { ms, number } from './table.ts'
import type { Row } from './table.ts'

const DELAY_BAR_MS = 20

/** What searches are judged by. */
export const searchRows = (speeds: readonly SearchSpeed[]): readonly Row[] => [
  ...speeds.map(speedRow),
  gateRow(speeds),
  delayRow(speeds),
  ...equalRows(speeds),
]

const show = (values: readonly number[]) =>
  `${ms(median(values))} / ${ms(percentile(values, 0.95))}`

function speedRow(speed: SearchSpeed): Row {
  const { kind, firstMs, oursMs, notmuchMs, nothingMs, delayMs } = speed
  const { what, barMs } = kind
  const net = () => ms(Math.max(0, median(notmuchMs) - median(nothingMs)))
  return {
    work: `${what}, p50 / p95; p50 when first asked; longest event loop delay`,
    figure: `${show(oursMs)}; ${ms(median(firstMs))}; ${ms(delayMs)}`,
    ...(notmuchMs.length > 0 && {
      floor: `${show(notmuchMs)}, net ${net()} (notmuch)`,
      ratio: number(median(oursMs) / median(notmuchMs)),
    }),
    ...(barMs === undefined
      ? { bar: `delay ${ms(DELAY_BAR_MS)}`, met: delayMs <= DELAY_BAR_MS }
      : { bar: `p50 ${ms(barMs)}`, met: median(oursMs) <= barMs }),
  }
}

/** What each of both takes where there is nothing to search. */
function gateRow(speeds: readonly SearchSpeed[]): Row {
  const nothingMs = speeds.flatMap((speed) => speed.nothingMs)
  const startMs = speeds.flatMap((speed) => speed.startMs)
  return {
    work: 'GET /v1/tokens/self in turns with them, p50 / p95',
    figure: show(speeds.flatMap(({ gateMs }) => gateMs)),
    ...(nothingMs.length > 0 && {
      floor: `${show(nothingMs)} (notmuch, a word that is nowhere), ${show(startMs)} (notmuch --version)`,
    }),
  }
}

function delayRow(speeds: readonly SearchSpeed[]): Row {
  const longestMs = Math.max(...speeds.map(({ delayMs }) => delayMs))
  const slowest = speeds.find(({ delayMs }) => delayMs === longestMs)
  return {
    work: `longest event loop delay of the handlers meanwhile: in ${slowest?.kind.what}`,
    figure: ms(longestMs),
    floor: `${ms(Math.max(...speeds.map(({ idlerDelayMs }) => idlerDelayMs)))} (a process that does nothing)`,
    bar: ms(DELAY_BAR_MS),
    met: longestMs <= DELAY_BAR_MS,
  }
}

function equalRows(speeds: readonly SearchSpeed[]): readonly Row[] {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const compared = sum(speeds.map((speed) => speed.compared))
  const equal = sum(speeds.map((speed) => speed.equal))
  if (compared === 0) return []
  const differing = speeds.filter((speed) => speed.equal < speed.compared)
  const where = differing.map(
    (speed) => `; ${speed.kind.what}: ${speed.equal} of ${speed.compared}`,
  )
  return [
    {
      work: 'answers with the messages that notmuch finds, in its order',
      figure: `${count(equal)} of ${count(compared)}${where.join('')}`,
      bar: 'all',
      met: equal === compared,
    },
  ]
}

const count = (value: number) => value.toLocaleString('en-GB')
