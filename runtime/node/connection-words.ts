/** What a failed connection says, also where several addresses were tried. */
export function connectionWords(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(connectionWords))].join('; ')
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers of the reply are too large'
  return error.message === '' ? (code ?? error.name) : error.message
}
