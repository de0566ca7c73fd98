import { discoverServers, type Discovery } from '../../../../domain/accounts/discover.ts'
import { withLocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed } from '../../../exit.ts'
import { note, print, printJson } from '../../../output.ts'
import { attemptLine, discoveryLines } from './present-discovery.ts'

/** `svc account discover`: fails when one of the two servers is not found. */
export async function discoverAccountCommand(
  address: string,
  options: { readonly json?: true },
): Promise<void> {
  const discovery = await withLocalRuntime((runtime) => discoverServers(runtime, address))
  if (options.json) printJson(discoveryJson(discovery))
  else {
    for (const attempt of discovery.attempts) note(attemptLine(attempt))
    for (const line of discoveryLines(discovery)) print(line)
  }
  if (!discovery.imap || !discovery.smtp) throw new CommandFailed('')
}

const discoveryJson = ({ email, imap, smtp, hint, attempts }: Discovery) => ({
  email,
  imap,
  smtp,
  hint,
  attempts: attempts.map(({ source, where, outcome, detail, finding }) => ({
    source,
    where,
    outcome,
    detail,
    imap: finding?.imap,
    smtp: finding?.smtp,
  })),
})
