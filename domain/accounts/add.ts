import { accounts } from '../../db/schema/accounts.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'
import { invalidRequest } from '../errors.ts'
import {
  accountEmail,
  accountName,
  accountPassword,
  serverAddress,
  type ServerInput,
} from './account-settings.ts'
import { nameKey } from './name-key.ts'
import { serverColumns } from './server-columns.ts'
import type { AccountServers } from './test-connection.ts'

export interface AddAccount {
  readonly email: string
  /** The address unless given. */
  readonly name?: string
  readonly imap: ServerInput
  readonly smtp: ServerInput
  readonly password: string
  /** A password of its own for SMTP. */
  readonly smtpPassword?: string
}

interface NewAccount extends AccountServers {
  readonly email: string
  readonly name: string
}

/** The account as it would be added; throws `invalid_request` for a setting that cannot be right. */
export function checkedAccount(input: AddAccount): NewAccount {
  const email = accountEmail(input.email)
  const password = accountPassword(input.password)
  const smtpPassword = accountPassword(input.smtpPassword ?? input.password)
  const imap = { ...serverAddress('imap', input.imap, email), password }
  const smtp = { ...serverAddress('smtp', input.smtp, imap.user), password: smtpPassword }
  return { email, name: accountName(input.name ?? email), imap, smtp }
}

/**
 * Adds a mail account and wakes the sync. The passwords are sealed before they reach the store. Throws
 * `invalid_request` for a setting that cannot be right and for a name that is taken.
 */
export async function addAccount(
  ctx: Needs<'store' | 'clock' | 'secretBox' | 'wake'>,
  input: AddAccount,
): Promise<{ readonly id: number; readonly name: string }> {
  const { email, name, imap, smtp } = checkedAccount(input)
  const hasSmtpPassword = input.smtpPassword !== undefined
  const row = {
    name,
    nameKey: nameKey(name),
    email,
    ...serverColumns(imap, smtp),
    sealedPassword: await ctx.secretBox.seal(imap.password),
    sealedSmtpPassword: hasSmtpPassword ? await ctx.secretBox.seal(smtp.password) : null,
    createdAt: ctx.clock.now().getTime(),
  }
  const [[added]] = await ctx.store.commit((write) => [
    write
      .insert(accounts)
      .values(row)
      .onConflictDoNothing({ target: accounts.nameKey })
      .returning({ id: accounts.id }),
  ])
  if (!added) throw invalidRequest(`There is already an account named ${name}.`)
  ctx.wake.now('accounts')
  return { id: added.id, name }
}
