import { MailServerError } from '../../ports/mail-server-error.ts'
import { freeMemory } from '../free-memory.ts'
import { type Connection, within } from './connection.ts'

const PIECE_BYTES = 1024 * 1024
/** Than the server says: some count the ends of lines otherwise. */
const LONGER_AT_MOST = 2

/**
 * The source of a message, fetched piece by piece into memory that threads can read too: it stands there once, and
 * nothing has to be copied. `size` is what the server says of it, which is not always true. Undefined when the message
 * has gone.
 */
export async function fetchInPieces(
  connection: Connection,
  { uid, size }: { readonly uid: number; readonly size: number },
): Promise<Uint8Array | undefined> {
  const { client, patience } = connection
  let source = new Uint8Array(new SharedArrayBuffer(size))
  let end = 0
  for (;;) {
    const query = { source: { start: end, maxLength: PIECE_BYTES } }
    const ms = patience.commandMs + (PIECE_BYTES / patience.sourceBytesPerSecond) * 1_000
    const fetched = await within(connection, ms, () =>
      client.fetchOne(String(uid), query, { uid: true }),
    )
    if (!fetched) return undefined
    const piece = fetched.source ?? new Uint8Array()
    // A server that knows no pieces has given all of it.
    if (end === 0 && piece.length > PIECE_BYTES) return piece
    if (end + piece.length > LONGER_AT_MOST * size) throw endless()
    if (end + piece.length > source.length) source = enlarged(source, end + piece.length)
    source.set(piece, end)
    const { length } = piece
    end += length
    freeMemory(piece)
    // It has ended where there is less than was asked for, whatever its size was said to be.
    if (length < PIECE_BYTES) return source.subarray(0, end)
  }
}

const endless = () =>
  new MailServerError('refused', 'The server gives more of a message than it said there is.', {
    retryable: true,
  })

function enlarged(bytes: Uint8Array, size: number): Uint8Array<SharedArrayBuffer> {
  const larger = new Uint8Array(new SharedArrayBuffer(size))
  larger.set(bytes)
  return larger
}
