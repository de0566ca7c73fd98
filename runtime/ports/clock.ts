/** The time, and waiting for it. A test passes one that it turns by hand. */
export interface Clock {
  now(): Date
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
