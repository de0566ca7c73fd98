import { normalizePath } from 'imapflow/lib/tools.js'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { SpecialUseAttribute } from '../../ports/mail-server.ts'
import { type Connection, within } from './connection.ts'
import { flagName } from './flag-name.ts'
import { atom, type Attribute, sendCommand } from './internals.ts'
import { mailboxName } from './mailbox-name.ts'
import { mailbox } from './mailbox.ts'

/** Creates and subscribes a mailbox that does not exist; gives its path as LIST has it. */
export async function createMailbox(
  connection: Connection,
  path: string,
  specialUse?: SpecialUseAttribute,
): Promise<string> {
  const { client, patience } = connection
  const wanted = normalizePath(client, path)
  const name = mailboxName(client, wanted)
  try {
    await create(connection, name, specialUse)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Few servers say ALREADYEXISTS.
    const existing = await listedPath(connection, wanted)
    if (existing === undefined) throw error
    return existing
  }
  await within(connection, patience.commandMs, () => client.mailboxSubscribe(wanted))
  return (await listedPath(connection, wanted)) ?? wanted
}

async function create(
  connection: Connection,
  name: Attribute,
  specialUse: SpecialUseAttribute | undefined,
): Promise<void> {
  const { client, patience } = connection
  const send = (options: readonly Attribute[]) =>
    within(connection, patience.commandMs, () =>
      sendCommand(client, { name: 'CREATE', attributes: [name, ...options] }),
    )
  if (specialUse === undefined || !client.capabilities.has('CREATE-SPECIAL-USE')) return send([])
  try {
    await send([[atom('USE'), [flagName(specialUse)]]])
  } catch (error) {
    // A server need not take every role (RFC 6154 section 3), and the mailbox matters more.
    if (!isRefusal(error)) throw error
    await send([])
  }
}

/** Servers may write a name in another form of Unicode (RFC 9051 section 5.1), or without a delimiter at its end. */
async function listedPath(connection: Connection, wanted: string): Promise<string | undefined> {
  const { client, patience } = connection
  const listed = await within(connection, patience.commandMs, () => client.list())
  const selectable = listed.map(mailbox).filter((entry) => entry.selectable)
  const isSame = ({ path, delimiter = '' }: (typeof selectable)[number]) =>
    [path, `${path}${delimiter}`].some((form) => form.normalize() === wanted.normalize())
  return (selectable.find(({ path }) => path === wanted) ?? selectable.find(isSame))?.path
}

const isRefusal = (error: unknown) => error instanceof MailServerError && error.kind === 'refused'
