/** How long a server may take, in milliseconds. A connection on which it took longer is closed. */
export interface Patience {
  /** For TCP and TLS. */
  readonly connectMs: number
  readonly greetingMs: number
  /** Without a single byte while it owes an answer. */
  readonly silenceMs: number
  /** For a whole command, however busily it answers; a source may take longer by `sourceBytesPerSecond`. */
  readonly commandMs: number
  readonly sourceBytesPerSecond: number
}

/** Enough for a slow line, and for a server that reads a cold mailbox of a million messages. */
export const PATIENCE: Patience = {
  connectMs: 30_000,
  greetingMs: 16_000,
  silenceMs: 120_000,
  commandMs: 300_000,
  sourceBytesPerSecond: 8 * 1024,
}
