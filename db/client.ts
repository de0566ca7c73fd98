import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

type Database = BaseSQLiteDatabase<'async', unknown>

/** Reads only: a write through it does not compile. */
export type Reader = Pick<Database, 'select' | 'selectDistinct' | '$with' | 'with'>

/** Builds statements that change rows; handed out only where they end up in one commit. */
export type Writer = Pick<Database, 'insert' | 'update' | 'delete'>

/** An open write transaction: it sees its own changes. */
export type Tx = Reader & Writer
