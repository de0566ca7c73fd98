/** How long the listener waits for what, in milliseconds. */
export interface Timing {
  /** Between two attempts to connect (spec section 6). */
  readonly reconnectMs: number
  /** For an answer to the request. */
  readonly connectMs: number
  /** For a line: a ping is due every 30 s, so one that is missing twice means that the connection is dead. */
  readonly silenceMs: number
  /** For a receiver that an event is forwarded to. */
  readonly forwardMs: number
  /** For a command. */
  readonly commandMs: number
}

export const TIMING: Timing = {
  reconnectMs: 3_000,
  connectMs: 20_000,
  silenceMs: 75_000,
  forwardMs: 10_000,
  commandMs: 60_000,
}
