import type { Relocated } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { copyUids } from './copy-uid.ts'
import { mailboxName } from './mailbox-name.ts'
import { sendUidCommand } from './uid-command.ts'

interface Relocation {
  readonly name: 'UID COPY' | 'UID MOVE'
  readonly uids: readonly number[]
  readonly path: string
}

/** Servers say COPYUID with the tagged OK, or, as they must of a MOVE, before it (RFC 6851 section 4.3). */
export async function relocate(
  connection: Connection,
  { name, uids, path }: Relocation,
): Promise<Relocated | undefined> {
  const moved = copyUids(uids)
  const rest = [mailboxName(connection.client, path)]
  await sendUidCommand(connection, { name, uids, rest, onOk: (ok) => moved.hear(ok) })
  return moved.relocated()
}
