import { finishRemovals } from '../../../../domain/accounts/finish-removal.ts'
import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { removeAccount } from '../../../../domain/accounts/remove.ts'
import { whatGoes, type WhatGoes } from '../../../../domain/accounts/what-goes.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed, EXIT } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import { confirm } from '../../../ask.ts'
import type { OutputOptions } from './options.ts'

/** `svc account remove`: asks first, and says what goes. */
export async function removeAccountCommand(
  nameOrId: string,
  options: OutputOptions & { readonly yes?: true },
): Promise<void> {
  await withLocalRuntime(async (runtime) => {
    await finishRemovals(runtime)
    const { id, name } = await getAccountByName(runtime, nameOrId)
    const goes = await whatGoes(runtime, id)
    if (!options.yes) await requireConsent(name, goes)
    await removeAccount(runtime, { id })
    if (options.json) printJson({ id, name, ...goesJson(goes) })
    else print(`Removed account ${name} with ${goesText(goes)}.`)
  })
}

async function requireConsent(name: string, goes: WhatGoes): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandFailed(
      'There is no terminal to ask on: --yes removes without asking.',
      EXIT.usage,
    )
  const question = `Remove account ${name} from here with ${goesText(goes)}? Its mail stays on its server.`
  if (!(await confirm(question))) throw new CommandFailed('Nothing was removed.')
}

const goesJson = (goes: WhatGoes) => ({
  messages: goes.messages,
  drafts: goes.drafts,
  unsent_messages: goes.unsentMessages,
  unsent_changes: goes.unsentChanges,
  transcript_bytes: goes.transcriptBytes,
})

/** The messages always; the rest where there is any. */
function goesText(goes: WhatGoes): string {
  const { messages, drafts, unsentMessages, unsentChanges, transcriptBytes } = goes
  const parts = [
    'its settings',
    counted(messages, 'message'),
    ...(drafts > 0 ? [counted(drafts, 'draft')] : []),
    ...(unsentMessages > 0
      ? [
          `${counted(unsentMessages, 'message')} that ${unsentMessages === 1 ? 'is' : 'are'} still to be sent`,
        ]
      : []),
    ...(unsentChanges > 0
      ? [`${counted(unsentChanges, 'change')} that its server does not know yet`]
      : []),
    ...(transcriptBytes > 0 ? ['its transcript'] : []),
  ]
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(parts)
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`
