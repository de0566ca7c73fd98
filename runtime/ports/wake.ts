/**
 * What can be woken: the loops over accounts, over changes to mailboxes, over what is to be sent, over deliveries to
 * receivers and over searches of mail servers; who waits for what became of what was sent; readers of the change feed and of events.
 */
export type WakeTopic =
  | 'accounts'
  | 'mailbox_changes'
  | 'outbox'
  | 'webhooks'
  | 'searches'
  | 'outcomes'
  | 'changes'
  | 'events'

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
