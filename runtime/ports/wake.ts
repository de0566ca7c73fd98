/** What can be woken: the loops over accounts and over changes to mailboxes, readers of the change feed and of events. */
export type WakeTopic = 'accounts' | 'mailbox_changes' | 'changes' | 'events'

/**
 * Tells whoever waits for `topic`, in this process or another, to look into the store now. Lossy: a lost wake
 * costs one polling interval, so never the only way that work is noticed.
 */
export interface Wake {
  now(topic: WakeTopic): void
  /**
   * Resolves at the next wake of `topic`, or when `signal` aborts. A latch: a wake that came since the last
   * wait resolves the next one at once.
   */
  wait(topic: WakeTopic, signal: AbortSignal): Promise<void>
}
