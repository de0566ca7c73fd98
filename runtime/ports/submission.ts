import type { ServerSettings } from './mail-server.ts'

/** Message submission over SMTP (RFC 6409). */
export interface Submission {
  /** Connects, secures and logs in without sending; throws a `MailServerError` with the server's own words. */
  verify(settings: ServerSettings): Promise<void>
}
