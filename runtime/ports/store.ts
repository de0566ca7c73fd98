import type { Reader, Tx, Writer } from '../../db/client.ts'

/**
 * The database. Whole after a crash of any process at any moment. Writes throw `StorageError` while the disk is full
 * or cannot be written; reads go on, and writes succeed again as soon as there is room.
 */
export interface Store {
  /** Queries outside a transaction. Writing through it does not compile. */
  readonly read: Reader
  /**
   * The same for queries that may take longer than others can wait, as those of a search: an embedded database answers
   * them beside everything else. Each costs a little more.
   */
  readonly longRead: Reader
  /**
   * Commits the statements that `build` returns atomically, in order, and returns what each one returned
   * (RETURNING). Durable when it resolves: for intents and for whatever else is answered to somebody.
   */
  commit<const Statements extends readonly PromiseLike<unknown>[]>(
    build: (write: Writer) => Statements,
  ): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }>
  /**
   * Runs `work` in an interactive write transaction, rolled back when it throws. The one writer waits
   * meanwhile: keep it under 20 ms and never await the network inside. Many in a row leave room for the writes
   * of other processes. The newest may be gone after a power cut: for what can be fetched again.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same, durable when it resolves and without a pause after it: for what is answered to somebody. */
  durableTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Tries to write. Why nothing can be written, in plain words and without a path; undefined when it can. Costs as
   * much as a small transaction: ask only where something makes you doubt.
   */
  writeTrouble(): Promise<string | undefined>
  /** Closes all connections once running writes have ended. */
  close(): Promise<void>
}
