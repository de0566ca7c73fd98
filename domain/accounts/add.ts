import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import {
  accountEmail,
  accountName,
  accountPassword,
  serverAddress,
  type ServerAddress,
  type ServerInput,
  sourceDays,
} from './account-settings.ts'
import { nameIsTaken } from './free-name.ts'
import { nameKey } from './name-key.ts'
import { passwordLogin } from './open-logins.ts'
import { serverColumns } from './server-columns.ts'
import type { AccountServers } from './test-connection.ts'

/** What somebody enters of a new account, but for what logs in. */
export interface NewAccount {
  readonly email: string
  /** The address unless given. */
  readonly name?: string
  readonly imap: ServerInput
  readonly smtp: ServerInput
  /** How many days back full sources are kept; all of them unless given. */
  readonly sourceDays?: number | null
}

export interface AddAccount extends NewAccount {
  readonly password: string
  /** A password of its own for SMTP. */
  readonly smtpPassword?: string
}

/** A new account, completed and checked. */
interface CheckedAccount {
  readonly email: string
  readonly name: string
  readonly imap: ServerAddress
  readonly smtp: ServerAddress
  readonly sourceDays: number | null
}

/** The account as it would be added; throws `invalid_request` for a setting that cannot be right. */
export function checkedAccount(input: NewAccount): CheckedAccount {
  const email = accountEmail(input.email)
  const imap = serverAddress('imap', input.imap, email)
  const smtp = serverAddress('smtp', input.smtp, imap.user)
  const name = accountName(input.name ?? email)
  return { email, name, imap, smtp, sourceDays: sourceDays(input.sourceDays ?? null) }
}

/** Its servers with its passwords; throws `invalid_request` as `checkedAccount` does. */
export function serversWithPasswords(input: AddAccount): AccountServers {
  const { imap, smtp } = checkedAccount(input)
  const password = accountPassword(input.password)
  const smtpPassword = accountPassword(input.smtpPassword ?? input.password)
  return {
    imap: { ...imap, login: passwordLogin(password) },
    smtp: { ...smtp, login: passwordLogin(smtpPassword) },
  }
}

/** The account as columns, but for what logs in. */
export const accountColumns = (
  { clock }: Needs<'clock'>,
  { name, email, imap, smtp, sourceDays: days }: CheckedAccount,
) => ({
  name,
  nameKey: nameKey(name),
  email,
  ...serverColumns(imap, smtp),
  sourceDays: days,
  createdAt: clock.now().getTime(),
})

/**
 * Adds a mail account and wakes the sync. The passwords are sealed before they reach the store. Throws
 * `invalid_request` for a setting that cannot be right and for a name that is taken.
 */
export async function addAccount(
  ctx: Needs<'store' | 'clock' | 'secretBox' | 'wake'>,
  input: AddAccount,
): Promise<{ readonly id: number; readonly name: string }> {
  const account = checkedAccount(input)
  const { name } = account
  const password = accountPassword(input.password)
  const smtpPassword =
    input.smtpPassword === undefined ? undefined : accountPassword(input.smtpPassword)
  const row = {
    ...accountColumns(ctx, account),
    sealedPassword: await ctx.secretBox.seal(password),
    sealedSmtpPassword: smtpPassword === undefined ? null : await ctx.secretBox.seal(smtpPassword),
  }
  const [[added]] = await ctx.store.commit((write) => [
    write
      .insert(accounts)
      .values(row)
      .onConflictDoNothing({ target: accounts.nameKey })
      .returning({ id: accounts.id }),
  ])
  if (!added) throw nameIsTaken(name)
  ctx.wake.now('accounts')
  return { id: added.id, name }
}
