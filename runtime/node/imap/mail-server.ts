import { ImapFlow } from 'imapflow'
import { SERVICE_NAME, SERVICE_VERSION } from '../../../domain/identity.ts'
import { type MailServer, type ServerSettings, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import { translated } from './failure.ts'
import { session } from './session.ts'

const CONNECT_TIMEOUT_MS = 30_000
const GREETING_TIMEOUT_MS = 16_000
/** Below the 30 minutes after which a server may drop an idle client (RFC 2177). */
const IDLE_RENEWED_AFTER_MS = 14 * 60_000
/** Above the largest source that is asked for. A server that sends more is not to be trusted. */
const LITERAL_BYTES_MAX = SOURCE_BYTES_MAX + 28 * 1024 * 1024
const RESPONSE_BYTES_MAX = LITERAL_BYTES_MAX + 1024 * 1024

/** IMAP over imapflow. */
export function imapflowMailServer(): MailServer {
  return {
    async connect(settings, { signal } = {}) {
      const client = newClient(settings)
      // An error event without a listener ends the process, so the listener comes before the connection.
      client.on('error', () => client.close())
      const giveUp = () => client.close()
      signal?.addEventListener('abort', giveUp, { once: true })
      try {
        await translated(() => client.connect())
        return session(client)
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
  }
}

function newClient({ host, port, tls, user, password }: ServerSettings): ImapFlow {
  return new ImapFlow({
    host,
    port,
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    auth: { user, pass: password },
    clientInfo: { name: SERVICE_NAME, version: SERVICE_VERSION },
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: IDLE_RENEWED_AFTER_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    maxLiteralSize: LITERAL_BYTES_MAX,
    maxResponseSize: RESPONSE_BYTES_MAX,
  })
}
