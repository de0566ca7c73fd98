import type { FetchMessageObject, FetchQueryObject } from 'imapflow'
import { type Connection, within } from './connection.ts'
import { sequenceSet } from './sequence-set.ts'

interface Asked {
  /** As many as fit into one command. */
  readonly uids: readonly number[]
  readonly query: FetchQueryObject
  /** How long each message is waited for. */
  readonly stepMs: number
}

/** What the server says of these messages, one by one, while it says it. */
export async function* fetchEach(
  connection: Connection,
  { uids, query, stepMs }: Asked,
): AsyncGenerator<FetchMessageObject> {
  if (uids.length === 0) return
  const fetching = connection.client.fetch(sequenceSet(uids), query, { uid: true })
  try {
    for (;;) {
      const { done, value: fetched } = await within(connection, stepMs, () => fetching.next())
      if (done || !fetched) return
      yield fetched
    }
  } finally {
    await fetching.return(undefined)
  }
}
