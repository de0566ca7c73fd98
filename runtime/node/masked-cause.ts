/** The codes that mail libraries give their errors. */
const CODES = ['code', 'serverResponseCode', 'responseCode'] as const

/**
 * The error of a mail library as a cause: its stack and its codes, masked. The error itself keeps what was sent and
 * what came back, and the log would show all of it.
 */
export function maskedCause(error: unknown, mask: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error(mask(String(error)))
  const { name, message, stack } = error
  const fields = error as Partial<Record<(typeof CODES)[number], unknown>>
  const cause = new Error(mask(message))
  cause.name = name
  if (stack !== undefined) cause.stack = mask(stack)
  return Object.assign(
    cause,
    Object.fromEntries(CODES.flatMap((code) => (code in error ? [[code, fields[code]]] : []))),
  )
}
