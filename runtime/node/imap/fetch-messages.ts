import type { ImapFlow } from 'imapflow'
import { type FetchedMessage, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import { type Connection, within } from './connection.ts'
import { fetchedFlags } from './fetch-changes.ts'
import { hasGmailLabels } from './gmail.ts'
import { sequenceSet } from './sequence-set.ts'

/** UIDs in one command: servers have a limit to its length, and gaps make every UID a number of its own. */
const UIDS_PER_COMMAND = 1_000

/** The messages with their sources; those over `SOURCE_BYTES_MAX` with their header block alone. */
export async function* fetchMessages(
  connection: Connection,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  for (let start = 0; start < uids.length; start += UIDS_PER_COMMAND)
    yield* fetchSlice(connection, uids.slice(start, start + UIDS_PER_COMMAND))
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

async function fetchSizes(
  client: ImapFlow,
  uids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (uids.length === 0) return new Map()
  const rows = await client.fetchAll(sequenceSet(uids), { uid: true, size: true }, { uid: true })
  // Untagged responses of their own accord may lack what was asked for.
  return new Map(rows.flatMap(({ uid, size = 0 }) => (uid ? [[uid, size]] : [])))
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
