import { MailServerError } from '../../ports/mail-server-error.ts'
import { freeMemory } from '../free-memory.ts'
import { type Connection, within } from './connection.ts'

const PIECE_BYTES = 1024 * 1024
/** Than the server says: some count the ends of lines otherwise. */
const LONGER_AT_MOST = 2

interface Pieces {
  readonly uid: number
  /** What the server says that the source has, which is not always true. */
  readonly size: number
  /** Gets the pieces in turn; each is gone when it resolves. */
  readonly take: (piece: Uint8Array) => Promise<void>
}

/**
 * Fetches the source of a message with a single piece of it in memory. How many bytes it has; undefined when the
 * message has gone, which may be after some pieces.
 */
export async function fetchInPieces(
  connection: Connection,
  { uid, size, take }: Pieces,
): Promise<number | undefined> {
  const { client, patience } = connection
  const ms = patience.commandMs + (PIECE_BYTES / patience.sourceBytesPerSecond) * 1_000
  let end = 0
  for (;;) {
    const query = { source: { start: end, maxLength: PIECE_BYTES } }
    const fetched = await within(connection, ms, () =>
      client.fetchOne(String(uid), query, { uid: true }),
    )
    if (!fetched) return undefined
    const piece = fetched.source ?? new Uint8Array()
    const { length } = piece
    // A server that knows no pieces has given all of it.
    const isAll = end === 0 && length > PIECE_BYTES
    if (!isAll && end + length > LONGER_AT_MOST * size) throw endless()
    await take(piece)
    freeMemory(piece)
    end += length
    // It has ended where there is less than was asked for, whatever its size was said to be.
    if (isAll || length < PIECE_BYTES) return end
  }
}

const endless = () =>
  new MailServerError('refused', 'The server gives more of a message than it said there is.', {
    retryable: true,
  })
