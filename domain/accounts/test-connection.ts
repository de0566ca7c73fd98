import { MailServerError } from '../../runtime/ports/mail-server-error.ts'
import type { ServerSettings } from '../../runtime/ports/mail-server.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Both servers of an account, with their passwords or access tokens in clear: never to be stored, logged or shown. */
export interface AccountServers {
  readonly imap: ServerSettings
  readonly smtp: ServerSettings
}

/** `error` is in the server's own words where it said any. */
export type ServerCheck = { readonly ok: true } | { readonly ok: false; readonly error: string }

export interface ConnectionTest {
  readonly imap: ServerCheck
  readonly smtp: ServerCheck
}

/** Connects and logs in to both servers, at the same time and independently; sends and changes nothing. */
export async function testConnection(
  ctx: Needs<'mailServer' | 'submission'>,
  servers: AccountServers,
): Promise<ConnectionTest> {
  const [imap, smtp] = await Promise.all([
    check(async () => (await ctx.mailServer.connect(servers.imap)).close()),
    check(() => ctx.submission.verify(servers.smtp)),
  ])
  return { imap, smtp }
}

async function check(connect: () => Promise<void>): Promise<ServerCheck> {
  try {
    await connect()
    return { ok: true }
  } catch (error) {
    if (error instanceof MailServerError) return { ok: false, error: error.message }
    throw error
  }
}
