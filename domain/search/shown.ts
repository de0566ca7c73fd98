const SHOWN_CHARS_MAX = 60

/** What a warning shows of a piece of a query: its beginning, in quotes and in one line. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text
  return `“${cut.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')}”`
}
