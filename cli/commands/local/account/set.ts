import { requireFreeName } from '../../../../domain/accounts/free-name.ts'
import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { getAccountSettings } from '../../../../domain/accounts/list-settings.ts'
import { passwordLogin } from '../../../../domain/accounts/open-logins.ts'
import { openServers } from '../../../../domain/accounts/open-servers.ts'
import type { AccountServers } from '../../../../domain/accounts/test-connection.ts'
import {
  updateAccount,
  updatedServers,
  type UpdateAccount,
} from '../../../../domain/accounts/update.ts'
import { withLocalRuntime, type LocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import type { SetOptions } from './options.ts'
import { accountJson, warnOfPlainText } from './present.ts'
import { readPasswords } from './read-passwords.ts'
import { requireLogin } from './require-login.ts'
import { serverInput } from './server-input.ts'
import { sourceDaysInput } from './source-days-input.ts'

const NOT_CHANGED = 'The account was not changed; --no-test changes it all the same.'

type Account = Awaited<ReturnType<typeof getAccountByName>>

/** `svc account set`: changes nothing when a server does not let us in. */
export async function setAccountCommand(nameOrId: string, options: SetOptions): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const account = await getAccountByName(runtime, nameOrId)
    if (options.name !== undefined) await requireFreeName(runtime, options.name, account.id)
    const update = await updateOf(runtime, account, options)
    if (Object.keys(update).length === 1)
      throw new CommandFailed('There is nothing to change; svc account set --help', EXIT.usage)
    if (concernsServers(update)) {
      warnOfPlainText(updatedServers(account, update))
      if (options.test)
        await requireLogin(runtime, await serversAfter(runtime, account, update), NOT_CHANGED)
    }
    await updateAccount(runtime, update)
    const changed = await getAccountSettings(runtime, account.id)
    if (options.json) printJson(accountJson(changed))
    else print(`Changed account ${changed.name} (id ${changed.id}).`)
  })
}

async function updateOf(
  runtime: LocalRuntime,
  { id }: Account,
  options: SetOptions,
): Promise<UpdateAccount> {
  const imap = serverInput(options, 'imap')
  const smtp = serverInput(options, 'smtp')
  const fromStdin = options.passwordStdin === true
  const hasPassword = fromStdin || options.newPassword === true
  const given = hasPassword
    ? await readPasswords({ fromStdin, environment: runtime.passwordsInEnvironment })
    : undefined
  return {
    id,
    ...(options.email !== undefined && { email: options.email }),
    ...(options.name !== undefined && { name: options.name }),
    ...(Object.keys(imap).length > 0 && { imap }),
    ...(Object.keys(smtp).length > 0 && { smtp }),
    ...sourceDaysInput(options),
    ...(options.transcript !== undefined && { transcribed: options.transcript === 'on' }),
    ...(options.sentCopy !== undefined && { sentCopy: options.sentCopy }),
    ...(given && { password: given.password, smtpPassword: given.smtpPassword ?? null }),
  }
}

const concernsServers = ({ imap, smtp, password }: UpdateAccount) =>
  imap !== undefined || smtp !== undefined || password !== undefined

/** The servers after the change, with what logs in there: that may cost a question to a token endpoint. */
async function serversAfter(
  runtime: LocalRuntime,
  account: Account,
  update: UpdateAccount,
): Promise<AccountServers> {
  const { imap, smtp } = updatedServers(account, update)
  if (update.password !== undefined) {
    const { password, smtpPassword } = update
    return {
      imap: { ...imap, login: passwordLogin(password) },
      smtp: { ...smtp, login: passwordLogin(smtpPassword ?? password) },
    }
  }
  const before = await openServers(runtime, account)
  return {
    imap: { ...imap, login: before.imap.login },
    smtp: { ...smtp, login: before.smtp.login },
  }
}
