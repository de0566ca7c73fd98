import type { folders } from '../../db/schema/folders.ts'

/** A folder as the store has it. */
export type Folder = typeof folders.$inferSelect
