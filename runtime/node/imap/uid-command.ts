import { MailServerError } from '../../ports/mail-server-error.ts'
import { type Connection, within } from './connection.ts'
import { type Attribute, type Command, sendCommand } from './internals.ts'
import { openMailbox } from './mailbox.ts'
import { sequenceSet } from './sequence-set.ts'
import { uidSlices } from './uid-slices.ts'

interface UidCommand extends Omit<Command, 'attributes'> {
  readonly uids: readonly number[]
  /** What follows the UIDs. */
  readonly rest: readonly Attribute[]
}

/** Sends a command for messages of the open mailbox; those that are gone are passed over. */
export async function sendUidCommand(
  connection: Connection,
  { uids, rest, ...command }: UidCommand,
): Promise<void> {
  const { readOnly } = openMailbox(connection)
  // Dovecot says OK and ignores the command; a MOVE may leave another copy behind each time.
  if (readOnly && command.name !== 'UID COPY') throw readOnlyRefusal()
  for (const slice of uidSlices(uids)) {
    const set = { type: 'SEQUENCE', value: sequenceSet(slice) }
    await sendPatiently(connection, { ...command, attributes: [set, ...rest] })
  }
}

/** Without its answer a server may refuse a command for messages that it has not told are gone (RFC 5530, RFC 2180). */
async function sendPatiently(connection: Connection, command: Command): Promise<void> {
  const { client, patience } = connection
  const send = () => within(connection, patience.commandMs, () => sendCommand(client, command))
  try {
    await send()
  } catch (error) {
    if (!(error instanceof MailServerError && error.code === 'EXPUNGEISSUED')) throw error
    await within(connection, patience.commandMs, () => client.noop())
    await send()
  }
}

const readOnlyRefusal = () =>
  new MailServerError('refused', 'The mailbox is read-only.', {
    retryable: true,
    code: 'READ-ONLY',
  })
