import { addAccount, checkedAccount, type AddAccount } from '../../../../domain/accounts/add.ts'
import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { accountSettings } from '../../../../domain/accounts/list-settings.ts'
import { testConnection } from '../../../../domain/accounts/test-connection.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed } from '../../../exit.ts'
import { note, print, printJson } from '../../../output.ts'
import { serversFor } from './discovered-servers.ts'
import type { ServerOptions } from './options.ts'
import { accountJson, isWell, testLines, warnOfPlainText } from './present.ts'
import { readPasswords } from './read-passwords.ts'

/** `svc account add`: finds servers that are not given; stores nothing when one does not let us in. */
export async function addAccountCommand(options: ServerOptions): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const servers = await serversFor(runtime, options)
    const passwords = await readPasswords({
      fromStdin: options.passwordStdin === true,
      environment: runtime.passwordsInEnvironment,
    })
    const input: AddAccount = {
      email: options.email ?? '',
      ...(options.name !== undefined && { name: options.name }),
      ...servers,
      ...passwords,
    }
    const checked = checkedAccount(input)
    warnOfPlainText(checked)
    if (options.test) {
      const test = await testConnection(runtime, checked)
      for (const line of testLines(test)) note(line)
      if (!isWell(test))
        throw new CommandFailed('The account was not added; --no-test adds it all the same.')
    }
    const { id, name } = await addAccount(runtime, input)
    if (options.json) printJson(accountJson(accountSettings(await getAccountByName(runtime, name))))
    else print(`Added account ${name} (id ${id}).`)
  })
}
