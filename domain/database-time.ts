import { sql } from 'drizzle-orm'

/** Now, by the clock of the database: the one clock that processes on several machines share. Milliseconds UTC. */
export const databaseNowMs = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
