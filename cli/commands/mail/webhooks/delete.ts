import { answered, apiClient } from '../../../api-client.ts'
import { confirm } from '../../../ask.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print } from '../../../output.ts'
import type { ApiCommandOptions } from '../api-command.ts'

/** `svc mail webhooks delete`: asks first; the API answers nothing, so neither does --json. */
export async function deleteWebhookCommand(
  id: string,
  options: ApiCommandOptions & { readonly yes?: true },
): Promise<void> {
  const webhook = apiClient(options).webhooks[':id']
  if (!options.yes) await requireConsent(id)
  await answered(webhook.$delete({ param: { id } }))
  if (!options.json) print(`Deleted webhook ${id}.`)
}

async function requireConsent(id: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandFailed(
      'There is no terminal to ask on: --yes deletes without asking.',
      EXIT.usage,
    )
  if (!(await confirm(`Delete webhook ${id} with its log and what waits?`)))
    throw new CommandFailed('Nothing was deleted.')
}
