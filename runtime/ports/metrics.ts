/** Everything that is counted. A name ends with its unit, or with `total` for mere events. */
type MetricName =
  /** Connections to IMAP servers that were opened and logged in. */
  | 'imap_connections_opened_total'
  /** Those that came to nothing; by `kind` as a `MailServerError` has it. */
  | 'imap_connections_failed_total'
  /** Logins that an IMAP server refused for good. */
  | 'imap_logins_refused_total'
  /** Times that an IMAP server asked for less. */
  | 'imap_throttled_total'
  /** Commands that were refused or not answered; by `kind`. */
  | 'imap_commands_failed_total'
  /** As on the wire, within TLS. */
  | 'imap_received_bytes'
  | 'imap_sent_bytes'
  /** Messages that a sync stored. */
  | 'messages_taken_in_total'
  /** Missing sources that were fetched from their server again. */
  | 'sources_refetched_total'
  /** Passes over all folders of an account that came to their end. */
  | 'sync_passes_completed_total'
  /** Connections of a sync that ended with an error. */
  | 'sync_passes_failed_total'
  /** Messages that an SMTP server took. */
  | 'messages_sent_total'
  /** Those that were given up; by `failure` as the outbox has it. */
  | 'messages_failed_total'
  /** Attempts to send that are made again later. */
  | 'sending_postponed_total'
  /** Copies of what was sent that were put into Sent. */
  | 'sent_copies_filed_total'
  /** Attempts to deliver an event to a receiver that ended; by `outcome` as the deliveries log has it, or `lost`. */
  | 'webhook_attempts_total'
  /** What they took, added up. */
  | 'webhook_attempts_ms'
  /** Receivers that were switched off because a delivery ran out of attempts. */
  | 'webhooks_disabled_total'

/** Few and known beforehand: never an account, an address or anything else that somebody outside chooses. */
export type MetricLabels = Readonly<Record<string, string>>

/** Counters of this process. They only grow, and begin at zero when the process does. */
export interface Metrics {
  count(name: MetricName, labels?: MetricLabels, by?: number): void
  /** All that were counted, as `name` or `name{label="value"}`. */
  read(): Readonly<Record<string, number>>
}
