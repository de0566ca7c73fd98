import type { SearchCriterion } from '../../../runtime/ports/search-criterion.ts'
import { ALL, every, type Possible, some } from './possible.ts'

const DAY_MS = 86_400_000
/** No message is dated before or after these (contract section 1). */
const EARLIEST_MS = 0
const LATEST_MS = Date.UTC(2201, 0, 1)

interface Range {
  readonly fromMs?: number
  readonly beforeMs?: number
}

/**
 * Every message dated within the range, or outside it. Servers compare days, in a zone that nobody knows, so a day more
 * at each end; and our date is one of two of theirs.
 */
export function dated({ fromMs, beforeMs }: Range, isNegated: boolean): Possible {
  const lower = fromMs === undefined ? [] : [isNegated ? before(fromMs) : since(fromMs)]
  const upper = beforeMs === undefined ? [] : [isNegated ? since(beforeMs) : before(beforeMs)]
  return isNegated ? some([...lower, ...upper]) : every([...lower, ...upper])
}

function since(ms: number): Possible {
  if (ms <= EARLIEST_MS) return ALL
  return ms >= LATEST_MS ? 'none' : either('since', startOfDay(ms) - DAY_MS)
}

function before(ms: number): Possible {
  if (ms <= EARLIEST_MS) return 'none'
  return ms >= LATEST_MS ? ALL : either('before', startOfDay(ms) + 2 * DAY_MS)
}

const startOfDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

function either(than: 'since' | 'before', dayMs: number): Possible {
  const by = (of: 'internal_date' | 'date_header'): SearchCriterion => ({
    kind: 'date',
    of,
    than,
    dayMs,
  })
  return some([by('internal_date'), by('date_header')])
}
