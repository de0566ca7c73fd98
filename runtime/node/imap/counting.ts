import type { ImapFlow } from 'imapflow'
import type { MailServerError } from '../../ports/mail-server-error.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { isThrottling } from './failure.ts'

/** Counts what went over the wire since the last call. */
export function countBytes(metrics: Metrics, client: ImapFlow): void {
  const { received, sent } = client.stats(true)
  if (received > 0) metrics.count('imap_received_bytes', {}, received)
  if (sent > 0) metrics.count('imap_sent_bytes', {}, sent)
}

export function countFailedConnection(metrics: Metrics, error: MailServerError): void {
  metrics.count('imap_connections_failed_total', { kind: error.kind })
  if (error.kind === 'auth' && !error.retryable) metrics.count('imap_logins_refused_total')
  countThrottling(metrics, error)
}

export function countFailedCommand(metrics: Metrics, error: MailServerError): void {
  metrics.count('imap_commands_failed_total', { kind: error.kind })
  countThrottling(metrics, error)
}

function countThrottling(metrics: Metrics, { cause }: MailServerError): void {
  if (cause && isThrottling(cause)) metrics.count('imap_throttled_total')
}
