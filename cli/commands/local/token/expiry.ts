const HOUR_MS = 3_600_000
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS }

/** When `text` says: some hours, days or weeks after `now`, or the end of a day in UTC. Undefined when it says nothing. */
export function parseExpiry(text: string, now: Date): Date | undefined {
  const [, amount, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  if (amount && unit)
    return new Date(now.getTime() + Number(amount) * UNIT_MS[unit as 'h' | 'd' | 'w'])
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  return exists ? new Date(day.getTime() + UNIT_MS.d) : undefined
}
