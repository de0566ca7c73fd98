const DAY_MS = 24 * 60 * 60 * 1000
const EARLIEST_MS = 0
const LATEST_MS = Date.UTC(2200, 0, 1)

/**
 * The date a message is shown, listed and searched by, in milliseconds UTC (contract section 1): the Date
 * header where it is valid and not more than a day ahead of INTERNALDATE, else INTERNALDATE; within 1970-2200.
 */
export function messageDate(dateHeaderMs: number | undefined, internalDateMs: number): number {
  const trusted = dateHeaderMs !== undefined && dateHeaderMs <= internalDateMs + DAY_MS
  return Math.min(LATEST_MS, Math.max(EARLIEST_MS, trusted ? dateHeaderMs : internalDateMs))
}
