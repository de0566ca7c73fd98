import { fromModifiedUtf7, toModifiedUtf7 } from '../modified-utf7.ts'

/** How names go over a connection: in UTF-8 after ENABLE UTF8=ACCEPT (RFC 6855), else in modified UTF-7. */
export interface NameEncoding {
  readonly isUtf8: boolean
}

/** A mailbox name or label as it came, each byte a character. */
export const decodeName = (name: string, { isUtf8 }: NameEncoding): string =>
  isUtf8 ? Buffer.from(name, 'latin1').toString('utf8') : fromModifiedUtf7(name)

/** A mailbox name, which Gmail always quotes. */
export const mailboxName = (path: string, { isUtf8 }: NameEncoding): string =>
  quoted(isUtf8 ? path : toModifiedUtf7(path))

const ATOM = /^[^\s()"\\{%*\u0080-\uffff\p{Cc}]+$/u

/** A label: an atom where it can be one, as Gmail does even with brackets in it. */
export function labelName(label: string, { isUtf8 }: NameEncoding): string {
  const name = isUtf8 || label.startsWith('\\') ? label : toModifiedUtf7(label)
  return ATOM.test(name) ? name : quoted(name)
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

export const MONTHS: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(
  ' ',
)

/** A date-time of RFC 9051, quoted and in UTC. */
export function dateTime(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  const [year, month, dayOfMonth] = day?.split('-') ?? []
  return `"${dayOfMonth}-${MONTHS[Number(month) - 1]}-${year} ${time} +0000"`
}
