import type { ImapFlow } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { countBytes, countFailedCommand, countFailedConnection } from './counting.ts'
import type { Expunges } from './expunges.ts'
import { mailServerError } from './failure.ts'
import type { Patience } from './patience.ts'

/** A client and what belongs to its connection. */
export interface Connection {
  readonly client: ImapFlow
  readonly gone: Expunges
  readonly patience: Patience
  readonly metrics: Metrics
  /** Where large sources lie until they are taken in, in files without a name. */
  readonly spoolDirectory: string
  /** Hides what logged in, wherever the server repeats it. */
  readonly mask: (text: string) => string
  /** Whether it has logged in. */
  isOpen: boolean
  /** What ended the connection, where something did. */
  error?: Error
}

/**
 * Does `work`, one command or one step of it; what fails of it is thrown as a `MailServerError` with the server's
 * own words, masked. After `ms` the connection is closed, which ends the command.
 */
export async function within<T>(
  connection: Connection,
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.client.close()
  }, ms)
  try {
    return await work()
  } catch (error) {
    const failure = mailServerError(
      isLate ? tooLate() : whyItEnded(connection, error),
      connection.mask,
    )
    const countFailure = connection.isOpen ? countFailedCommand : countFailedConnection
    countFailure(connection.metrics, failure)
    throw failure
  } finally {
    clearTimeout(timer)
    countBytes(connection.metrics, connection.client)
  }
}

/** A command that is cut off only knows that the connection is gone. */
function whyItEnded({ error: cause }: Connection, error: unknown): unknown {
  const isCutOff = (error as { code?: string }).code === 'NoConnection'
  return isCutOff && cause ? cause : error
}

const tooLate = () =>
  new MailServerError('unreachable', 'The server took too long to answer.', { retryable: true })
