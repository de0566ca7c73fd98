import { listAccountSettings } from '../../../../domain/accounts/list-settings.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { note, printJson, printTable } from '../../../output.ts'
import type { OutputOptions } from './options.ts'
import { accountJson, serverText } from './present.ts'

/** `svc account list`. */
export async function listAccountsCommand(options: OutputOptions): Promise<void> {
  const accounts = await withLocalRuntime(listAccountSettings)
  if (options.json) {
    printJson(accounts.map(accountJson))
    return
  }
  if (accounts.length === 0) {
    note('There are no accounts yet; svc account add adds one.')
    return
  }
  printTable(
    ['ID', 'NAME', 'ADDRESS', 'IMAP', 'SMTP', 'LOGIN', 'STATE'],
    accounts.map((account) => [
      String(account.id),
      account.name,
      account.email,
      serverText(account.imap),
      serverText(account.smtp),
      account.oauth ?? 'password',
      account.error === undefined ? account.state : `${account.state}: ${account.error}`,
    ]),
  )
}
