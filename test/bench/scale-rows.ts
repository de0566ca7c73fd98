import { sumOf } from './both-processes.ts'
import type { FirstSync } from './first-sync.ts'
import { syncTookMs } from './first-sync-rows.ts'
import { mebibytes, ms, number } from './table.ts'
import type { Row } from './table.ts'

const RATE_BAR = 0.8
const PEAK_BAR = 1.1

/** What a mailbox of many more messages costs beside a smaller one. */
export function scaleRows(small: FirstSync, large: FirstSync): readonly Row[] {
  const work = (what: string) => `${what} at ${count(large)} beside ${count(small)} messages`
  const rate = rateOf(large) / rateOf(small)
  const peak = sumOf(large.peakBytes) / sumOf(small.peakBytes)
  return [
    {
      work: work('rate of the first sync'),
      figure: perSecond(large),
      floor: perSecond(small),
      ratio: number(rate),
      bar: `ratio ${number(RATE_BAR)} or more`,
      met: rate >= RATE_BAR,
    },
    {
      work: work('peak memory of both processes'),
      figure: mebibytes(sumOf(large.peakBytes)),
      floor: mebibytes(sumOf(small.peakBytes)),
      ratio: number(peak),
      bar: `ratio ${number(PEAK_BAR)}`,
      met: peak <= PEAK_BAR,
    },
    {
      work: work('first 50 messages readable'),
      figure: ms(screenOf(large)),
      floor: ms(screenOf(small)),
      ratio: number(screenOf(large) / screenOf(small)),
    },
  ]
}

const count = ({ messages }: FirstSync) => messages.toLocaleString('en-GB')
const rateOf = (sync: FirstSync) => (sync.messages / syncTookMs(sync)) * 1_000
const perSecond = (sync: FirstSync) => `${number(rateOf(sync))} messages/s`
const screenOf = ({ screenMs, storedMs }: FirstSync) => screenMs - storedMs
