import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailServerError } from '../../ports/mail-server-error.ts'

/** A deadline that can be moved until the step that it is for has ended. */
export interface Deadline {
  /** Rejects when it has passed. */
  readonly late: Promise<never>
  pause(): void
  /** Counts from now on. */
  restart(ms: number): void
  end(): void
  hasEnded(): boolean
}

export function deadline(ms: number): Deadline {
  const { promise: late, reject } = Promise.withResolvers<never>()
  // Nobody may be waiting when it is ended just in time.
  late.catch(() => {})
  const start = (after: number) => setTimeout(() => reject(tooLate()), after)
  let timer = start(ms)
  let isEnded = false
  const pause = () => clearTimeout(timer)
  return {
    late,
    pause,
    restart(after) {
      pause()
      if (!isEnded) timer = start(after)
    },
    end() {
      pause()
      isEnded = true
    },
    hasEnded: () => isEnded,
  }
}

/** Waits for a step of the conversation: its result, its failure, the end of the connection or its deadline. */
export async function step<T>(
  client: SMTPConnection,
  limit: Deadline,
  start: (done: (error?: Error | null, result?: T) => void) => void,
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  // The library may say why only after it has said that the connection is gone.
  const onEnd = () => setImmediate(() => reject(connectionEnded()))
  client.once('error', reject).once('end', onEnd)
  try {
    start((error, result) => (error ? reject(error) : resolve(result)))
    return await Promise.race([promise, limit.late])
  } finally {
    limit.end()
    client.off('error', reject).off('end', onEnd)
  }
}

const tooLate = () =>
  new MailServerError('unreachable', 'The server took too long to answer.', { retryable: true })

const connectionEnded = () =>
  new MailServerError('unreachable', 'The server ended the connection.', { retryable: true })
