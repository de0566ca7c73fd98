import type { ImapResponse } from 'imapflow'
import { formatDateTime, getStatusCode } from 'imapflow/lib/tools.js'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { AppendedAt, AppendedMessage } from '../../ports/mail-server.ts'
import type { RenderedSource } from '../../ports/rendered-source.ts'
import { type Connection, within } from './connection.ts'
import { flagName } from './flag-name.ts'
import { type Attribute, sendCommand } from './internals.ts'
import { mailboxName } from './mailbox-name.ts'

/** Puts a message into a mailbox; says where it is now, where the server does. */
export async function appendMessage(
  connection: Connection,
  path: string,
  message: AppendedMessage,
): Promise<AppendedAt | undefined> {
  const { source } = message
  const whole = source instanceof Uint8Array ? source : await wholeOf(source)
  return append(connection, path, { ...message, source: whole })
}

async function append(
  connection: Connection,
  path: string,
  { source, flags, internalDateMs }: AppendedMessage & { readonly source: Uint8Array },
): Promise<AppendedAt | undefined> {
  const { client, patience } = connection
  refuseTooLarge(connection, source.length)
  let at: AppendedAt | undefined
  const command = {
    name: 'APPEND',
    attributes: [
      mailboxName(client, path),
      flags.map(flagName),
      { type: 'STRING', value: formatDateTime(new Date(internalDateMs)) ?? '' },
      literal(connection, source),
    ],
    onOk: (ok: ImapResponse) => {
      at = appendedAt(ok) ?? at
    },
  }
  const ms = patience.commandMs + (source.length / patience.sourceBytesPerSecond) * 1_000
  await within(connection, ms, () => sendCommand(client, command))
  return at
}

/** In a place of the right size, where that is known. */
async function wholeOf(source: RenderedSource): Promise<Uint8Array> {
  const traits = await source.traits?.()
  let whole = new Uint8Array(traits?.size ?? 0)
  let size = 0
  for await (const piece of source) {
    if (size + piece.length > whole.length) whole = enlarged(whole, 2 * (size + piece.length))
    whole.set(piece, size)
    size += piece.length
  }
  return whole.subarray(0, size)
}

function enlarged(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size)
  larger.set(bytes)
  return larger
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
