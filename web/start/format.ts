const numbers = new Intl.NumberFormat()
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

export const countText = (count: number): string => numbers.format(count)
export const clockText = (date: Date): string => clock.format(date)
export const fullText = (date: Date): string => full.format(date)

/** How long before `now` it was, in words. */
export function agoText(date: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - date.getTime()) / 1_000))
  if (seconds < 5) return 'just now'
  if (seconds < MINUTE_S) return ago.format(-seconds, 'second')
  if (seconds < HOUR_S) return ago.format(-Math.floor(seconds / MINUTE_S), 'minute')
  if (seconds < DAY_S) return ago.format(-Math.floor(seconds / HOUR_S), 'hour')
  return ago.format(-Math.floor(seconds / DAY_S), 'day')
}

/** The time of today, the day of this year, or the date: what tells messages in a list apart. */
export function listDateText(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return hour.format(date)
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date)
}
