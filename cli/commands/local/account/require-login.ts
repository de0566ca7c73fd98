import { testConnection, type AccountServers } from '../../../../domain/accounts/test-connection.ts'
import type { LocalRuntime } from '../../../../runtime/entries/local.ts'
import { CommandFailed } from '../../../exit.ts'
import { note } from '../../../output.ts'
import { isWell, testLines } from './present.ts'

/** Says what both servers answered, and ends with `otherwise` when one does not let us in. */
export async function requireLogin(
  runtime: LocalRuntime,
  servers: AccountServers,
  otherwise: string,
): Promise<void> {
  const test = await testConnection(runtime, servers)
  for (const line of testLines(test)) note(line)
  if (!isWell(test)) throw new CommandFailed(otherwise)
}
