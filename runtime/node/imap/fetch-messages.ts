import type { FetchMessageObject } from 'imapflow'
import { type FetchedMessage, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import { fillSpoolFile } from '../spool-file.ts'
import { spooledSource } from '../spooled-source.ts'
import { type Connection, within } from './connection.ts'
import { fetchedFlags } from './fetch-changes.ts'
import { fetchEach } from './fetch-each.ts'
import { fetchInPieces } from './fetch-in-pieces.ts'
import { fetchSizes } from './fetch-sizes.ts'
import { hasGmailLabels } from './gmail.ts'
import { uidSlices } from './uid-slices.ts'

/** Sources over this are spooled piece by piece: several accounts may fetch one at a time. */
const WHOLE_BYTES_MAX = 4 * 1024 * 1024

/** The messages with their sources; those over `SOURCE_BYTES_MAX` with their header block alone. */
export async function* fetchMessages(
  connection: Connection,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  for (const slice of uidSlices(uids)) yield* fetchSlice(connection, slice)
}

async function* fetchSlice(
  connection: Connection,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  const { client, patience } = connection
  const sizes = await within(connection, patience.commandMs, () => fetchSizes(client, uids))
  const uidsOfSize = (above: number, atMost: number) =>
    [...sizes].flatMap(([uid, size]) => (size > above && size <= atMost ? [uid] : []))
  const small = uidsOfSize(-1, WHOLE_BYTES_MAX)
  yield* fetchParts(connection, { uids: small, part: 'source', sizes })
  for (const uid of uidsOfSize(WHOLE_BYTES_MAX, SOURCE_BYTES_MAX))
    yield* fetchSpooled(connection, { uid, size: sizes.get(uid) ?? 0 })
  const large = uidsOfSize(SOURCE_BYTES_MAX, Number.POSITIVE_INFINITY)
  yield* fetchParts(connection, { uids: large, part: 'headers', sizes })
}

interface Parts {
  readonly uids: readonly number[]
  readonly part: 'source' | 'headers'
  readonly sizes: ReadonlyMap<number, number>
}

async function* fetchParts(
  connection: Connection,
  { uids, part, sizes }: Parts,
): AsyncGenerator<FetchedMessage> {
  const { patience } = connection
  const query = { ...factsAsked(connection), [part]: true }
  const largest = Math.max(...uids.map((uid) => sizes.get(uid) ?? 0))
  const stepMs = patience.commandMs + (largest / patience.sourceBytesPerSecond) * 1_000
  for await (const fetched of fetchEach(connection, { uids, query, stepMs })) {
    const source = fetched[part]
    // A server may answer for a message that is just being expunged without its source.
    if (!source) continue
    const size = sizes.get(fetched.uid) ?? source.byteLength
    yield {
      ...facts(connection, fetched),
      source,
      size: part === 'source' ? source.byteLength : size,
    }
  }
}

/** What somebody expunges meanwhile is passed over. */
async function* fetchSpooled(
  connection: Connection,
  { uid, size }: { readonly uid: number; readonly size: number },
): AsyncGenerator<FetchedMessage> {
  const { client, patience, spoolDirectory } = connection
  const asked = factsAsked(connection)
  const fetched = await within(connection, patience.commandMs, () =>
    client.fetchOne(String(uid), asked, { uid: true }),
  )
  if (!fetched) return
  const { file, filled } = await fillSpoolFile(
    { directory: spoolDirectory, place: 'beside' },
    (spool) => fetchInPieces(connection, { uid, size, take: (piece) => spool.appendFile(piece) }),
  )
  if (filled === undefined) await file.close()
  else yield { ...facts(connection, fetched), source: spooledSource(file, filled), size: filled }
}

const factsAsked = ({ client }: Connection) => ({
  uid: true,
  flags: true,
  internalDate: true,
  ...(hasGmailLabels(client) && { labels: true, threadId: true }),
})

const facts = ({ client }: Connection, fetched: FetchMessageObject) => ({
  ...fetchedFlags(fetched),
  internalDateMs: dateMs(fetched.internalDate),
  ...(fetched.emailId && { emailId: fetched.emailId }),
  ...(hasGmailLabels(client) && fetched.threadId && { gmailThreadId: fetched.threadId }),
})

function dateMs(date: Date | string | undefined): number {
  const ms = date === undefined ? Number.NaN : new Date(date).getTime()
  return Number.isNaN(ms) ? Date.now() : ms
}
