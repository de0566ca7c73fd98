import { DrizzleQueryError } from 'drizzle-orm/errors'

/**
 * The same error, with nothing in it or among its causes of what a query was run with: that is mail and secrets,
 * which drizzle puts into the message.
 */
export function withoutParameters(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!(at instanceof DrizzleQueryError)) continue
    const { message, query } = at
    at.message = `Failed query: ${query}`
    at.stack = at.stack?.replace(message, () => at.message) ?? ''
    at.params = []
  }
  return error
}
