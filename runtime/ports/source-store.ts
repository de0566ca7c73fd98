/**
 * Message sources (raw RFC 5322 bytes) by the SHA-256 of their content. Best effort: a source may be missing
 * after a crash and is then fetched again from its server.
 */
export interface SourceStore {
  /**
   * Keeps `source` and returns its hash in lower-case hex. Keeping the same bytes twice is one source. Throws
   * `StorageError` while the disk is full or cannot be written.
   */
  put(source: Uint8Array): Promise<string>
  /** The bytes, checked against the hash; undefined when missing or damaged. */
  get(hash: string): Promise<Uint8Array | undefined>
  /** Forgets the source; one that is not there is no error. */
  delete(hash: string): Promise<void>
  /**
   * Removes sources that nothing names, and what writes that were cut off have left: how many, part by part, so that
   * the caller may rest between them, or leave.
   */
  sweep(sweep: Sweep): AsyncIterable<number>
}

/** What a sweep leaves. */
export interface Sweep {
  /** Milliseconds UTC. What was put later stays, for whoever put it may be about to name it. */
  readonly beforeMs: number
  /** Those of at most 500 hashes that are named. */
  readonly named: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
}
