import { countMessages } from '../../../../domain/accounts/count-messages.ts'
import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { removeAccount } from '../../../../domain/accounts/remove.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import { confirm } from '../ask.ts'
import type { OutputOptions } from './options.ts'

/** `svc account remove`: asks first, and says what goes. */
export async function removeAccountCommand(
  nameOrId: string,
  options: OutputOptions & { readonly yes?: true },
): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    const { id, name } = await getAccountByName(runtime, nameOrId)
    const messages = await countMessages(runtime, id)
    if (!options.yes) await requireConsent(name, messages)
    await removeAccount(runtime, { id })
    if (options.json) printJson({ id, name, messages })
    else print(`Removed account ${name} and ${messages} messages.`)
  })
}

async function requireConsent(name: string, messages: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandFailed(
      'There is no terminal to ask on: --yes removes without asking.',
      EXIT.usage,
    )
  const question = `Remove account ${name}, its settings and its ${messages} messages from here? Its mail stays on its server.`
  if (!(await confirm(question))) throw new CommandFailed('Nothing was removed.')
}
