import { sql, type SQLWrapper } from 'drizzle-orm'

/** Now, by the clock of the database: the one clock that processes on several machines share. Milliseconds UTC. */
export const databaseNowMs = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/**
 * Whether a right that ends at `until`, and is given for `lengthMs`, has ended or was never given. One that ends later
 * than a new one would is from before the clock was turned back.
 */
export const isOver = (until: SQLWrapper, lengthMs: number) =>
  sql<boolean>`(${until} is null or ${until} <= ${databaseNowMs} or ${until} > ${databaseNowMs} + ${lengthMs})`
