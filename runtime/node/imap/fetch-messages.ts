import { type FetchedMessage, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import { type Connection, within } from './connection.ts'
import { fetchedFlags } from './fetch-changes.ts'
import { fetchSizes } from './fetch-sizes.ts'
import { hasGmailLabels } from './gmail.ts'
import { sequenceSet } from './sequence-set.ts'
import { uidSlices } from './uid-slices.ts'

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
  const isLarge = (uid: number) => (sizes.get(uid) ?? 0) > SOURCE_BYTES_MAX
  const asked = [...sizes.keys()]
  const small = asked.filter((uid) => !isLarge(uid))
  yield* fetchParts(connection, { uids: small, part: 'source', sizes })
  yield* fetchParts(connection, { uids: asked.filter(isLarge), part: 'headers', sizes })
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
  if (uids.length === 0) return
  const { client, patience } = connection
  const query = {
    uid: true,
    flags: true,
    internalDate: true,
    [part]: true,
    ...(hasGmailLabels(client) && { labels: true, threadId: true }),
  }
  const largest = Math.max(...uids.map((uid) => sizes.get(uid) ?? 0))
  const stepMs = patience.commandMs + (largest / patience.sourceBytesPerSecond) * 1_000
  const fetching = client.fetch(sequenceSet(uids), query, { uid: true })
  try {
    for (;;) {
      const { done, value: fetched } = await within(connection, stepMs, () => fetching.next())
      if (done || !fetched) return
      const source = fetched[part]
      // A server may answer for a message that is just being expunged without its source.
      if (!source) continue
      yield {
        ...fetchedFlags(fetched),
        internalDateMs: dateMs(fetched.internalDate),
        source,
        size: part === 'source' ? source.byteLength : (sizes.get(fetched.uid) ?? source.byteLength),
        ...(fetched.emailId && { emailId: fetched.emailId }),
        ...(hasGmailLabels(client) && fetched.threadId && { gmailThreadId: fetched.threadId }),
      }
    }
  } finally {
    await fetching.return(undefined)
  }
}

function dateMs(date: Date | string | undefined): number {
  const ms = date === undefined ? Number.NaN : new Date(date).getTime()
  return Number.isNaN(ms) ? Date.now() : ms
}
