import type { ImapFlow } from 'imapflow'
import { sequenceSet } from './sequence-set.ts'

/** RFC822.SIZE by UID, of those that still exist; for as many UIDs as fit into one command. */
export async function fetchSizes(
  client: ImapFlow,
  uids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (uids.length === 0) return new Map()
  const rows = await client.fetchAll(sequenceSet(uids), { uid: true, size: true }, { uid: true })
  // Untagged responses of their own accord may lack what was asked for.
  return new Map(rows.flatMap(({ uid, size = 0 }) => (uid ? [[uid, size]] : [])))
}
