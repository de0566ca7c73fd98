import type { ImapResponse } from 'imapflow'
import { formatDateTime, getStatusCode } from 'imapflow/lib/tools.js'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { AppendedAt, AppendedMessage } from '../../ports/mail-server.ts'
import type { RenderedSource } from '../../ports/rendered-source.ts'
import { type Connection, within } from './connection.ts'
import { flagName } from './flag-name.ts'
import { type Attribute, sendCommand, sendWithLiteral, type StreamedLiteral } from './internals.ts'
import { mailboxName } from './mailbox-name.ts'

/** From here on a source is sent while it is rendered: in one piece it would stand in memory more than once. */
const STREAMED_BYTES_MIN = 1024 * 1024

/** Puts a message into a mailbox; says where it is now, where the server does. */
export async function appendMessage(
  connection: Connection,
  path: string,
  message: AppendedMessage,
): Promise<AppendedAt | undefined> {
  const { source } = message
  if (source instanceof Uint8Array) return append(connection, path, { ...message, source })
  const size = (await source.traits?.())?.size ?? 0
  return append(connection, path, {
    ...message,
    source: size < STREAMED_BYTES_MIN ? await wholeOf(source) : { size, blocks: source },
  })
}

async function append(
  connection: Connection,
  path: string,
  {
    source,
    flags,
    internalDateMs,
  }: Omit<AppendedMessage, 'source'> & { readonly source: Uint8Array | StreamedLiteral },
): Promise<AppendedAt | undefined> {
  const { client, patience } = connection
  const size = source instanceof Uint8Array ? source.byteLength : source.size
  refuseTooLarge(connection, size)
  let at: AppendedAt | undefined
  const attributes = [
    mailboxName(client, path),
    flags.map(flagName),
    { type: 'STRING', value: formatDateTime(new Date(internalDateMs)) ?? '' },
  ] as const
  const onOk = (ok: ImapResponse) => {
    at = appendedAt(ok) ?? at
  }
  const command = { name: 'APPEND', attributes, onOk }
  const ms = patience.commandMs + (size / patience.sourceBytesPerSecond) * 1_000
  await within(connection, ms, () =>
    source instanceof Uint8Array
      ? sendCommand(client, {
          ...command,
          attributes: [...attributes, literal(connection, source)],
        })
      : sendWithLiteral(client, command, source),
  )
  return at
}

async function wholeOf(source: RenderedSource): Promise<Uint8Array> {
  const blocks: Uint8Array[] = []
  for await (const block of source) blocks.push(block)
  return Buffer.concat(blocks)
}

/** A server that says what is too much for it (RFC 7889) is not sent it. */
function refuseTooLarge({ client }: Connection, bytes: number): void {
  const limit = client.capabilities.get('APPENDLIMIT')
  if (typeof limit !== 'number' || bytes <= limit) return
  const words = `The message has ${bytes} bytes, and the server keeps ${limit} at most.`
  throw new MailServerError('refused', words, { retryable: false, code: 'APPENDLIMIT' })
}

/** NUL needs a literal of its own (RFC 3516). */
function literal({ client }: Connection, source: Uint8Array): Attribute {
  const value = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const isLiteral8 = client.capabilities.has('BINARY') && value.includes(0)
  return { type: 'LITERAL', value, isLiteral8 }
}

function appendedAt(ok: ImapResponse): AppendedAt | undefined {
  if (getStatusCode(ok) !== 'APPENDUID') return undefined
  const [, uidValidity, uid] = ok.attributes?.[0]?.section ?? []
  const [epoch, number] = [uidValidity, uid].map((value) => numberOf(String(value?.value ?? '')))
  return epoch && number ? { uidValidity: BigInt(epoch), uid: number } : undefined
}

/** An nz-number of RFC 9051 section 9; else undefined. */
function numberOf(text: string): number | undefined {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
  return number !== undefined && number < 2 ** 32 ? number : undefined
}
