import type { FlagEdit } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { flagName } from './flag-name.ts'
import { atom, type Attribute } from './internals.ts'
import { mailboxName } from './mailbox-name.ts'
import { sendUidCommand } from './uid-command.ts'

/** Silent: what the flags are now is read with the next changes. */
export async function storeFlags(
  connection: Connection,
  uids: readonly number[],
  edit: FlagEdit,
): Promise<void> {
  await store(connection, uids, [
    { item: '+FLAGS.SILENT', values: edit.add?.map(flagName) },
    { item: '-FLAGS.SILENT', values: edit.remove?.map(flagName) },
  ])
}

/** As Google describes it: never silent. */
export async function storeGmailLabels(
  connection: Connection,
  uids: readonly number[],
  edit: FlagEdit,
): Promise<void> {
  const label = (name: string) =>
    SYSTEM_LABEL.test(name) ? flagName(name) : mailboxName(connection.client, name)
  await store(connection, uids, [
    { item: '+X-GM-LABELS', values: edit.add?.map(label) },
    { item: '-X-GM-LABELS', values: edit.remove?.map(label) },
  ])
}

const SYSTEM_LABEL = /^\\[A-Za-z]+$/

interface Change {
  readonly item: string
  readonly values: readonly Attribute[] | undefined
}

async function store(
  connection: Connection,
  uids: readonly number[],
  changes: readonly Change[],
): Promise<void> {
  for (const { item, values = [] } of changes)
    if (values.length > 0)
      await sendUidCommand(connection, { name: 'UID STORE', uids, rest: [atom(item), values] })
}
