import { getAccountByName } from '../../../../domain/accounts/get-by-name.ts'
import { testAccount } from '../../../../domain/accounts/test-account.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed } from '../../../exit.ts'
import { print, printJson } from '../../../output.ts'
import type { OutputOptions } from './options.ts'
import { isWell, testLines } from './present.ts'

/** `svc account test`: fails when one of the two servers does not let us in. */
export async function testAccountCommand(nameOrId: string, options: OutputOptions): Promise<void> {
  const test = await withLocalRuntime(async (runtime) =>
    testAccount(runtime, await getAccountByName(runtime, nameOrId)),
  )
  if (options.json) printJson(test)
  else for (const line of testLines(test)) print(line)
  if (!isWell(test)) throw new CommandFailed('')
}
