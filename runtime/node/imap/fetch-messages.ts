import type { ImapFlow } from 'imapflow'
import { type FetchedMessage, SOURCE_BYTES_MAX } from '../../ports/mail-server.ts'
import { mailServerError } from './failure.ts'
import { sortedFlags } from './message-flags.ts'
import { sequenceSet } from './sequence-set.ts'

/** The messages with their sources; those over `SOURCE_BYTES_MAX` with their header block alone. */
export async function* fetchMessages(
  client: ImapFlow,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  try {
    const sizes = await fetchSizes(client, uids)
    const isLarge = (uid: number) => (sizes.get(uid) ?? 0) > SOURCE_BYTES_MAX
    const asked = [...sizes.keys()]
    yield* fetchParts(client, { uids: asked.filter((uid) => !isLarge(uid)), part: 'source', sizes })
    yield* fetchParts(client, { uids: asked.filter(isLarge), part: 'headers', sizes })
  } catch (error) {
    throw mailServerError(error)
  }
}

async function fetchSizes(
  client: ImapFlow,
  uids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (uids.length === 0) return new Map()
  const rows = await client.fetchAll(sequenceSet(uids), { uid: true, size: true }, { uid: true })
  return new Map(rows.map(({ uid, size }) => [uid, size ?? 0]))
}

interface Parts {
  readonly uids: readonly number[]
  readonly part: 'source' | 'headers'
  readonly sizes: ReadonlyMap<number, number>
}

async function* fetchParts(
  client: ImapFlow,
  { uids, part, sizes }: Parts,
): AsyncGenerator<FetchedMessage> {
  if (uids.length === 0) return
  const query = { uid: true, flags: true, internalDate: true, [part]: true }
  for await (const fetched of client.fetch(sequenceSet(uids), query, { uid: true })) {
    const source = fetched[part]
    // A server may answer for a message that is just being expunged without its source.
    if (!source) continue
    yield {
      uid: fetched.uid,
      flags: sortedFlags(fetched.flags),
      internalDateMs: dateMs(fetched.internalDate),
      source,
      size: part === 'source' ? source.byteLength : (sizes.get(fetched.uid) ?? source.byteLength),
      ...(fetched.modseq && { modseq: fetched.modseq }),
      ...(fetched.emailId && { emailId: fetched.emailId }),
    }
  }
}

function dateMs(date: Date | string | undefined): number {
  const ms = date === undefined ? Number.NaN : new Date(date).getTime()
  return Number.isNaN(ms) ? Date.now() : ms
}
