import type { TlsMode } from '../../runtime/ports/mail-server.ts'

/** The ports that RFC 8314 and RFC 6409 name for each way to secure a connection. */
export const DEFAULT_PORTS = {
  imap: { implicit: 993, starttls: 143, none: 143 },
  smtp: { implicit: 465, starttls: 587, none: 587 },
} as const satisfies Record<string, Record<TlsMode, number>>
