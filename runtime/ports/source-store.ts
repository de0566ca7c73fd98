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
}
