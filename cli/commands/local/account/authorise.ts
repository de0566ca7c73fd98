import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { getAccountSettings } from '../../../../domain/accounts/list-settings.ts'
import { configuredClient } from '../../../../domain/accounts/oauth/client.ts'
import { replaceGrant } from '../../../../domain/accounts/oauth/replace-grant.ts'
import { findGrant } from '../../../../domain/accounts/oauth/stored-grant.ts'
import { serversOf } from '../../../../domain/accounts/server-columns.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import { gainGrant } from './gain-grant.ts'
import type { AuthoriseOptions } from './options.ts'
import { accountJson } from './present.ts'
import { requireLogin } from './require-login.ts'

/**
 * `svc account authorise`: a grant takes the place of the old one, or of a password, only when both servers let its
 * token into the account's own mailbox.
 */
export async function authoriseAccountCommand(
  nameOrId: string,
  options: AuthoriseOptions,
): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const account = await getAccountByName(runtime, nameOrId)
    const { id, name, email } = account
    const provider = options.oauth ?? (await findGrant(runtime, id))?.provider
    if (provider === undefined)
      throw new CommandFailed(
        `Account ${name} logs in with a password; --oauth puts an authorisation in its place.`,
        EXIT.usage,
      )
    const { imap, smtp } = serversOf(account)
    const client = configuredClient(runtime.config, provider)
    const grant = await gainGrant(runtime, client, {
      email,
      user: imap.user,
      device: options.device,
    })
    const login = { kind: 'oauth', accessToken: grant.tokens.accessToken } as const
    await requireLogin(
      runtime,
      { imap: { ...imap, login }, smtp: { ...smtp, login } },
      `The authorisation does not let into the mailbox of ${imap.user}; what logged in before stays.`,
    )
    await replaceGrant(runtime, id, grant)
    if (options.json) printJson(accountJson(await getAccountSettings(runtime, id)))
    else print(`Authorised account ${name} (id ${id}).`)
  })
}
