const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Obsolete zones of RFC 5322 section 4.3, in hours; every other name means no more than UTC. */
const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ['EDT', -4],
  ['EST', -5],
  ['CDT', -5],
  ['CST', -6],
  ['MDT', -6],
  ['MST', -7],
  ['PDT', -7],
  ['PST', -8],
])

/** Longer values are no dates, and comments can be nested as deep as a field is long. */
const VALUE_CHARS_MAX = 500

const TIME = String.raw`(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?(?:\s?([ap])m)?`
const ZONE = String.raw`(?:(?:UTC|GMT|UT)?([+-])(\d{1,2}):?(\d{2})|([a-z]+)?)`
const DAY_NAME = String.raw`(?:[a-z]{2,9}\.?\s?,?\s?)?`
const RFC_5322 = new RegExp(
  String.raw`^${DAY_NAME}(\d{1,2})[\s-]([a-z]{3})[a-z]*[.,]?[\s-](\d{2,4}),?(?:\s${TIME}\s?${ZONE}|$)`,
  'i',
)
const ASCTIME = new RegExp(
  String.raw`^${DAY_NAME}([a-z]{3})[a-z]*\s(\d{1,2}),?\s${TIME}\s?${ZONE}\s?(\d{4})$`,
  'i',
)
const MONTH_FIRST = new RegExp(
  String.raw`^${DAY_NAME}([a-z]{3})[a-z]*\s(\d{1,2}),?\s(\d{4}),?\s${TIME}\s?${ZONE}$`,
  'i',
)
const ISO_8601 = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[t\s]${TIME})?\s?${ZONE}$`, 'i')

/**
 * The instant a Date field names (RFC 5322 sections 3.3 and 4.3, asctime and ISO 8601 as found in mail), in
 * milliseconds UTC. Undefined, never NaN, when it names none. A local time without a zone is read as UTC.
 */
export function parseDate(value: string): number | undefined {
  if (value.length > VALUE_CHARS_MAX) return undefined
  const text = withoutComments(value).replaceAll(/\s+/g, ' ').replaceAll(/ ?: ?/g, ':').trim()
  const rfc = RFC_5322.exec(text)
  if (rfc) {
    const [, day, month, year, ...rest] = rfc
    return instant({ year, month: monthNumber(month), day }, rest)
  }
  const asctime = ASCTIME.exec(text)
  if (asctime) {
    const [, month, day, ...rest] = asctime
    return instant({ year: rest.at(-1), month: monthNumber(month), day }, rest)
  }
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) {
    const [, month, day, year, ...rest] = monthFirst
    return instant({ year, month: monthNumber(month), day }, rest)
  }
  const iso = ISO_8601.exec(text)
  if (!iso) return undefined
  const [, year, month, day, ...rest] = iso
  return instant({ year, month: Number(month), day }, rest)
}

function withoutComments(value: string): string {
  let depth = 0
  let text = ''
  for (const char of value) {
    if (char === '(') depth++
    if (depth === 0) text += char
    if (char === ')' && depth > 0) depth--
    if (depth === 0 && char === ')') text += ' '
  }
  return text
}

interface CalendarDay {
  readonly year: string | undefined
  readonly month: number
  readonly day: string | undefined
}

const monthNumber = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** `groups` are those of TIME and ZONE above, in order. */
function instant(date: CalendarDay, groups: readonly (string | undefined)[]): number | undefined {
  const [hourText, minute = '0', second = '0', meridiem, sign, zoneHours, zoneMinutes, zoneName] =
    groups
  const year = fullYear(date.year ?? '')
  const day = Number(date.day)
  const hour = hourOfDay(Number(hourText ?? 0), meridiem?.toLowerCase())
  // A leap second is the first instant of the next minute.
  if (hour > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, date.month - 1, day)
  if (midnight.getUTCMonth() !== date.month - 1 || midnight.getUTCDate() !== day) return undefined
  const offset = sign ? offsetMinutes(sign, zoneHours, zoneMinutes) : zoneOffset(zoneName)
  if (offset === undefined) return undefined
  return midnight.getTime() + ((hour * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000
}

/** Two and three digits as RFC 5322 section 4.3 reads them. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return digits.length === 3 ? 1900 + year : year
}

function hourOfDay(hour: number, meridiem: string | undefined): number {
  if (meridiem === undefined) return hour
  return (hour % 12) + (meridiem === 'p' ? 12 : 0)
}

function offsetMinutes(sign: string, hours = '0', minutes = '0'): number | undefined {
  if (Number(minutes) > 59) return undefined
  const offset = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -offset : offset
}

const zoneOffset = (name = ''): number => (ZONE_HOURS.get(name.toUpperCase()) ?? 0) * 60
