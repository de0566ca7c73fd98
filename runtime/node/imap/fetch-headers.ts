import type { FetchedHeader } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { fetchEach } from './fetch-each.ts'
import { uidSlices } from './uid-slices.ts'

/** The header blocks of the messages that still exist. */
export async function* fetchHeaders(
  connection: Connection,
  uids: readonly number[],
): AsyncGenerator<FetchedHeader> {
  const query = { uid: true, headers: true }
  const stepMs = connection.patience.commandMs
  for (const slice of uidSlices(uids))
    for await (const { uid, headers } of fetchEach(connection, { uids: slice, query, stepMs }))
      if (headers) yield { uid, headersRaw: headers }
}
