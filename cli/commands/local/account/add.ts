import {
  addAccount,
  checkedAccount,
  serversWithPasswords,
  type NewAccount,
} from '../../../../domain/accounts/add.ts'
import { requireFreeName } from '../../../../domain/accounts/free-name.ts'
import { getAccountSettings } from '../../../../domain/accounts/list-settings.ts'
import { configuredClient, type OAuthClient } from '../../../../domain/accounts/oauth/client.ts'
import { addAccountByGrant } from '../../../../domain/accounts/oauth/add-account.ts'
import { withLocalRuntime, type LocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import { serversFor } from './discovered-servers.ts'
import { gainGrant } from './gain-grant.ts'
import type { AddOptions } from './options.ts'
import { accountJson, warnOfPlainText } from './present.ts'
import { readPasswords } from './read-passwords.ts'
import { requireLogin } from './require-login.ts'
import { sourceDaysInput } from './source-days-input.ts'

const NOT_ADDED = 'The account was not added; --no-test adds it all the same.'

interface Added {
  readonly id: number
  readonly name: string
}

/** `svc account add`: finds servers that are not given; stores nothing when one does not let us in. */
export async function addAccountCommand(options: AddOptions): Promise<void> {
  refuseMixture(options)
  await withLocalRuntime(async (runtime) => {
    await requireFreeName(runtime, options.name ?? options.email ?? '')
    const client = options.oauth && configuredClient(runtime.config, options.oauth)
    const account: NewAccount = {
      email: options.email ?? '',
      ...(options.name !== undefined && { name: options.name }),
      ...(await serversFor(runtime, options)),
      ...sourceDaysInput(options),
    }
    warnOfPlainText(checkedAccount(account))
    const { id, name } = client
      ? await addWithGrant(runtime, account, { ...options, client })
      : await addWithPassword(runtime, account, options)
    if (options.json) printJson(accountJson(await getAccountSettings(runtime, id)))
    else print(`Added account ${name} (id ${id}).`)
  })
}

function refuseMixture({ oauth, device, passwordStdin }: AddOptions): void {
  if (oauth && passwordStdin)
    throw new CommandFailed('With --oauth there is no password to read.', EXIT.usage)
  if (device && !oauth) throw new CommandFailed('--device needs --oauth.', EXIT.usage)
}

async function addWithPassword(
  runtime: LocalRuntime,
  account: NewAccount,
  options: AddOptions,
): Promise<Added> {
  const passwords = await readPasswords({
    fromStdin: options.passwordStdin === true,
    environment: runtime.passwordsInEnvironment,
  })
  const input = { ...account, ...passwords }
  const servers = serversWithPasswords(input)
  if (options.test) await requireLogin(runtime, servers, NOT_ADDED)
  return addAccount(runtime, input)
}

async function addWithGrant(
  runtime: LocalRuntime,
  account: NewAccount,
  { client, device, test }: AddOptions & { readonly client: OAuthClient },
): Promise<Added> {
  const { email, imap, smtp } = checkedAccount(account)
  const grant = await gainGrant(runtime, client, { email, user: imap.user, device })
  const login = { kind: 'oauth', accessToken: grant.tokens.accessToken } as const
  const servers = { imap: { ...imap, login }, smtp: { ...smtp, login } }
  if (test) await requireLogin(runtime, servers, NOT_ADDED)
  return addAccountByGrant(runtime, account, grant)
}
