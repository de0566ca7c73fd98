import { tmpdir } from 'node:os'
import { ImapFlow } from 'imapflow'
import { SERVICE_NAME, SERVICE_VERSION } from '../../../domain/identity.ts'
import { type MailServer, type ServerSettings, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Transcript } from '../../ports/transcripts.ts'
import { maskOfLogin } from '../mask-of-login.ts'
import { type Connection, within } from './connection.ts'
import { type Expunges, expunges } from './expunges.ts'
import { type Patience, PATIENCE } from './patience.ts'
import { session } from './session.ts'
import { transcribingLogger } from './transcribing-logger.ts'

/** Below the 30 minutes after which a server may drop an idle client (RFC 2177). */
const IDLE_RENEWED_AFTER_MS = 14 * 60_000
/** Above the largest source that is asked for. A server that sends more is not to be trusted. */
const LITERAL_BYTES_MAX = SOURCE_BYTES_MAX + 28 * 1024 * 1024
const RESPONSE_BYTES_MAX = LITERAL_BYTES_MAX + 1024 * 1024

interface MailServerOptions {
  readonly metrics: Metrics
  readonly patience?: Patience
  /** Where large sources lie until they are taken in. */
  readonly spoolDirectory?: string
}

/** IMAP over imapflow. */
export function imapflowMailServer({
  metrics,
  patience = PATIENCE,
  spoolDirectory = tmpdir(),
}: MailServerOptions): MailServer {
  return {
    async connect(settings, { signal, transcript } = {}) {
      const gone = expunges()
      const mask = maskOfLogin(settings.login)
      const client = newClient(settings, { gone, patience, transcript, mask })
      const told = { patience, metrics, spoolDirectory, mask }
      const connection: Connection = { client, gone, ...told, isOpen: false }
      // An error event without a listener ends the process, so the listener comes before the connection.
      client.on('error', (error: Error) => {
        connection.error = error
        client.close()
      })
      const giveUp = () => client.close()
      signal?.addEventListener('abort', giveUp, { once: true })
      try {
        await within(connection, patience.commandMs, () => client.connect())
        connection.isOpen = true
        metrics.count('imap_connections_opened_total')
        return session(connection)
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
  }
}

interface ClientOptions {
  readonly gone: Expunges
  readonly patience: Patience
  readonly transcript: Transcript | undefined
  readonly mask: (text: string) => string
}

function newClient(
  { host, port, tls, user, login }: ServerSettings,
  { gone, patience, transcript, mask }: ClientOptions,
): ImapFlow {
  return new ImapFlow({
    host,
    port,
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    auth:
      login.kind === 'oauth'
        ? { user, accessToken: login.accessToken }
        : { user, pass: login.password },
    clientInfo: { name: SERVICE_NAME, version: SERVICE_VERSION },
    logger: transcript ? transcribingLogger(transcript, mask) : false,
    disableAutoIdle: true,
    qresync: true,
    expungeHandler: gone.hear,
    maxIdleTime: IDLE_RENEWED_AFTER_MS,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.greetingMs,
    socketTimeout: patience.silenceMs,
    maxLiteralSize: LITERAL_BYTES_MAX,
    maxResponseSize: RESPONSE_BYTES_MAX,
  })
}
