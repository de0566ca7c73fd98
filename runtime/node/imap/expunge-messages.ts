import { hasCapability } from 'imapflow/lib/tools.js'
import type { Connection } from './connection.ts'
import { storeFlags } from './store.ts'
import { sendUidCommand } from './uid-command.ts'

export const canExpunge = ({ client }: Connection): boolean => hasCapability(client, 'UIDPLUS')

/** Never by EXPUNGE or CLOSE, which take away what other mail programs have marked too. */
export async function expunge(connection: Connection, uids: readonly number[]): Promise<void> {
  await storeFlags(connection, uids, { add: ['\\Deleted'] })
  if (canExpunge(connection))
    await sendUidCommand(connection, { name: 'UID EXPUNGE', uids, rest: [] })
}
