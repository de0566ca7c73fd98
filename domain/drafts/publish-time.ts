/** How long nobody must have written before a draft is published. */
const QUIET_MS = 3_000
/** How long it goes unpublished while somebody writes on. */
const LATEST_MS = 10_000

/**
 * When a draft is to be published that was edited at `nowMs`, and that the server lags behind since
 * `unpublishedSinceMs`. An autosave every second must not write to the server every second.
 */
export const publishTime = (nowMs: number, unpublishedSinceMs: number): number =>
  Math.min(nowMs + QUIET_MS, unpublishedSinceMs + LATEST_MS)
