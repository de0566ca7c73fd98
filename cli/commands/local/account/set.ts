import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { accountSettings } from '../../../../domain/accounts/list-settings.ts'
import { openServers } from '../../../../domain/accounts/open-servers.ts'
import { testConnection, type AccountServers } from '../../../../domain/accounts/test-connection.ts'
import {
  updateAccount,
  updatedServers,
  type UpdateAccount,
} from '../../../../domain/accounts/update.ts'
import { withLocalRuntime, type LocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { note, print, printJson } from '../../../output.ts'
import type { SetOptions } from './options.ts'
import { accountJson, isWell, testLines, warnOfPlainText } from './present.ts'
import { readPasswords } from './read-passwords.ts'
import { serverInput } from './server-input.ts'

type Account = Awaited<ReturnType<typeof getAccountByName>>

/** `svc account set`: changes nothing when a server does not let us in. */
export async function setAccountCommand(nameOrId: string, options: SetOptions): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const account = await getAccountByName(runtime, nameOrId)
    const update = await updateOf(runtime, account, options)
    if (Object.keys(update).length === 1)
      throw new CommandFailed('There is nothing to change; svc account set --help', EXIT.usage)
    if (concernsServers(update)) {
      const servers = await serversAfter(runtime, account, update)
      warnOfPlainText(servers)
      if (options.test) await requireLogin(runtime, servers)
    }
    await updateAccount(runtime, update)
    const changed = await getAccountByName(runtime, update.name ?? account.name)
    if (options.json) printJson(accountJson(accountSettings(changed)))
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
    ...(options.keepSources !== undefined && {
      sourceDays: options.keepSources === 'all' ? null : options.keepSources,
    }),
    ...(options.transcript !== undefined && { transcribed: options.transcript === 'on' }),
    ...(given && { password: given.password, smtpPassword: given.smtpPassword ?? null }),
  }
}

const concernsServers = ({ imap, smtp, password }: UpdateAccount) =>
  imap !== undefined || smtp !== undefined || password !== undefined

async function serversAfter(
  runtime: LocalRuntime,
  account: Account,
  update: UpdateAccount,
): Promise<AccountServers> {
  const { imap, smtp } = updatedServers(account, update)
  if (update.password !== undefined) {
    const { password, smtpPassword } = update
    return { imap: { ...imap, password }, smtp: { ...smtp, password: smtpPassword ?? password } }
  }
  const before = await openServers(runtime, account)
  return {
    imap: { ...imap, password: before.imap.password },
    smtp: { ...smtp, password: before.smtp.password },
  }
}

async function requireLogin(runtime: LocalRuntime, servers: AccountServers): Promise<void> {
  const test = await testConnection(runtime, servers)
  for (const line of testLines(test)) note(line)
  if (!isWell(test))
    throw new CommandFailed('The account was not changed; --no-test changes it all the same.')
}
