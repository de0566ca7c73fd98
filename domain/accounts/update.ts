import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '../../db/schema/accounts.ts'
import { oauthGrants } from '../../db/schema/oauth-grants.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { notFound } from '../errors.ts'
import {
  accountEmail,
  accountName,
  accountPassword,
  serverAddress,
  sourceDays,
  type Protocol,
  type ServerAddress,
  type ServerInput,
} from './account-settings.ts'
import { DEFAULT_PORTS } from './default-ports.ts'
import { requireFreeName } from './free-name.ts'
import { nameKey } from './name-key.ts'
import { isNotRemoved } from './not-removed.ts'
import { serverColumns, serversOf } from './server-columns.ts'

/** What is absent stays as it is. */
export interface UpdateAccount {
  readonly id: number
  readonly email?: string
  readonly name?: string
  readonly imap?: Partial<ServerInput>
  readonly smtp?: Partial<ServerInput>
  readonly password?: string
  /** A password of its own for SMTP; null goes back to the one for IMAP. */
  readonly smtpPassword?: string | null
  /** How many days back full sources are kept; null keeps all. */
  readonly sourceDays?: number | null
  /** Whether what is said to the IMAP server, and by it, is written down. */
  readonly transcribed?: boolean
  /** Whether copies of what is sent are filed in Sent here; `auto`: unless the server is known to do so itself. */
  readonly sentCopy?: AccountRow['sentCopy']
}

type AccountRow = typeof accounts.$inferSelect

/**
 * Changes settings of an account and wakes the sync. Where the servers or passwords change, a running sync
 * reconnects and an earlier error is forgotten; a password takes the place of a grant. Throws `not_found`, and
 * `invalid_request` as `addAccount` does.
 */
export async function updateAccount(
  ctx: Needs<'store' | 'secretBox' | 'wake'>,
  input: UpdateAccount,
): Promise<void> {
  const [row] = await ctx.store.read
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, input.id), isNotRemoved))
  if (!row) throw notFound('account', input.id)
  const name = accountName(input.name ?? row.name)
  await requireFreeName(ctx, name, input.id)

  const changes = {
    name,
    nameKey: nameKey(name),
    email: accountEmail(input.email ?? row.email),
    ...(input.sourceDays !== undefined && { sourceDays: sourceDays(input.sourceDays) }),
    ...(input.sentCopy !== undefined && { sentCopy: input.sentCopy }),
    ...transcriptChanges(row, input),
    ...(await connectionChanges(ctx, row, input)),
  }
  await ctx.store.commit((write) => [
    write.update(accounts).set(changes).where(eq(accounts.id, input.id)),
    ...(input.password === undefined
      ? []
      : [write.delete(oauthGrants).where(eq(oauthGrants.accountId, input.id))]),
  ])
  ctx.wake.now('accounts')
}

/** A running connection has no transcript, or goes on with one, until it is made anew. */
const transcriptChanges = (row: AccountRow, { transcribed }: UpdateAccount) =>
  transcribed === undefined || transcribed === row.transcribed
    ? {}
    : { transcribed, settingsRevision: reconnected }

const reconnected = sql`${accounts.settingsRevision} + 1`

async function connectionChanges(
  { secretBox }: Needs<'secretBox'>,
  row: AccountRow,
  input: UpdateAccount,
) {
  const { password, smtpPassword } = input
  if (!input.imap && !input.smtp && password === undefined && smtpPassword === undefined) return {}
  const { imap, smtp } = updatedServers(row, input)
  return {
    ...serverColumns(imap, smtp),
    ...(password !== undefined && {
      sealedPassword: await secretBox.seal(accountPassword(password)),
    }),
    ...(smtpPassword !== undefined && {
      sealedSmtpPassword:
        smtpPassword === null ? null : await secretBox.seal(accountPassword(smtpPassword)),
    }),
    settingsRevision: reconnected,
    state: 'syncing' as const,
    error: null,
  }
}

/** The servers of the account once `input` is applied; throws `invalid_request`. */
export function updatedServers(
  row: AccountRow,
  input: Pick<UpdateAccount, 'imap' | 'smtp'>,
): { readonly imap: ServerAddress; readonly smtp: ServerAddress } {
  const { imap, smtp } = serversOf(row)
  return {
    imap: updatedServer('imap', imap, input.imap),
    smtp: updatedServer('smtp', smtp, input.smtp),
  }
}

/** A port that was the usual one follows the TLS mode. */
function updatedServer(
  protocol: Protocol,
  before: ServerAddress,
  input: Partial<ServerInput> = {},
): ServerAddress {
  const { port: portBefore, ...rest } = before
  const port = portBefore === DEFAULT_PORTS[protocol][before.tls] ? {} : { port: portBefore }
  return serverAddress(protocol, { ...rest, ...port, ...input }, before.user)
}
