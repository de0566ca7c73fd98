import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ImapAttributeNode, ImapFlow, ImapResponse } from 'imapflow'
import { enhanceCommandError, getTextValues } from 'imapflow/lib/tools.js'

/** What a command is followed by; a list stands in parentheses. */
export type Attribute = ImapAttributeNode | readonly Attribute[]

/** A command that imapflow has no method for, or whose answer its method keeps to itself. */
export interface Command {
  /** With UID before it where it is a UID command. */
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** Hears the untagged OKs that come before the tagged one, and then that. */
  readonly onOk?: (ok: ImapResponse) => void
  /** Hears the untagged responses of these names. */
  readonly untagged?: Readonly<Record<string, (response: ImapResponse) => void>>
}

/** Sends a command and ends an IDLE in progress before it; throws as imapflow's own commands do, with the response code. */
export const sendCommand = (client: ImapFlow, command: Command): Promise<void> =>
  send(client, command, {})

/** What a command ends with where it is too large to stand in memory. */
export interface StreamedLiteral {
  /** Bytes. */
  readonly size: number
  readonly blocks: AsyncIterable<Uint8Array>
}

/**
 * The same for a command that ends with a literal (RFC 9051 section 4.3), sent while it is read. Where reading it fails
 * or gives another number of bytes, the connection is closed, for the server waits for the rest, and that is thrown.
 */
export async function sendWithLiteral(
  client: ImapFlow,
  command: Command,
  { size, blocks }: StreamedLiteral,
): Promise<void> {
  const { writeSocket } = internals(client)
  let failure: { readonly error: unknown } | undefined
  const onPlusTag = async () => {
    try {
      await writeBlocks(writeSocket, blocks, size)
    } catch (error) {
      failure = { error }
      client.close()
    }
  }
  const marker = { type: 'TEXT', value: `{${size}}` } as const
  const attributes = [...command.attributes, marker]
  await send(client, { ...command, attributes }, { onPlusTag }).catch((error: unknown) => {
    throw failure ? failure.error : error
  })
}

async function writeBlocks(
  socket: Writable,
  blocks: AsyncIterable<Uint8Array>,
  size: number,
): Promise<void> {
  let left = size
  for await (const block of blocks) {
    left -= block.byteLength
    if (left < 0) break
    if (socket.destroyed) return
    if (!socket.write(block)) await drained(socket)
  }
  if (left !== 0) throw new Error('What was to be sent has another size than it was said to have.')
  socket.write('\r\n')
}

/** Resolves when the socket takes more, or has been closed. */
async function drained(socket: Writable): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  } finally {
    settled.abort()
  }
}

async function send(
  client: ImapFlow,
  { name, attributes, onOk = () => {}, untagged = {} }: Command,
  continuation: { readonly onPlusTag?: () => Promise<void> },
): Promise<void> {
  const inside = internals(client)
  try {
    if (inside.preCheck) await inside.preCheck()
    const { response, next } = await inside.exec(name, attributes, {
      untagged: heard({ ...untagged, OK: onOk }),
      ...continuation,
    })
    next()
    if (response.command?.toUpperCase() !== 'OK') throw refusal(response)
    onOk(response)
  } catch (error) {
    await enhanceCommandError(error as Refusal)
    throw error
  }
}

/** What imapflow awaits. */
const heard = (listeners: Readonly<Record<string, (response: ImapResponse) => void>>) =>
  Object.fromEntries(
    Object.entries(listeners).map(([name, listen]) => [
      name,
      async (response: ImapResponse) => listen(response),
    ]),
  )

/** From now on every untagged response of this name that no command has asked for calls `listener`. */
export function onUntagged(client: ImapFlow, name: string, listener: () => void): void {
  internals(client).untaggedHandlers[name] = async () => listener()
}

export const atom = (value: string): Attribute => ({ type: 'ATOM', value })

type Refusal = Parameters<typeof enhanceCommandError>[0]

/** imapflow takes one NO for an OK, by its words: that some messages of a FETCH are gone. */
function refusal(response: ImapResponse): Refusal {
  return Object.assign(new Error('Command failed'), {
    response,
    responseStatus: 'NO',
    responseText: getTextValues(response.attributes).join(' '),
  })
}

/** What imapflow's own commands are made with. */
interface Internals {
  exec(
    name: string,
    attributes: readonly Attribute[],
    options: {
      readonly untagged: Readonly<Record<string, (response: ImapResponse) => Promise<void>>>
      /** At each continuation request that no literal of the attributes waits for. */
      readonly onPlusTag?: () => Promise<void>
    },
  ): Promise<{ readonly response: ImapResponse; readonly next: () => void }>
  /** There while an IDLE is in progress. */
  readonly preCheck: (() => Promise<void>) | false
  /** The socket, or what compresses for it. */
  readonly writeSocket: Writable
  readonly untaggedHandlers: Record<string, () => Promise<void>>
}

/** Its version is pinned, and tests with real servers see when these change. */
const internals = (client: ImapFlow) => client as unknown as Internals
