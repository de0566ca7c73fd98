import type { SearchObject } from 'imapflow'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { CopySought } from '../../ports/mail-server.ts'
import type { Connection } from './connection.ts'
import { fetchSizes } from './fetch-sizes.ts'
import { uidSlices } from './uid-slices.ts'

/** The UIDs of what is in the open mailbox, ascending. */
export async function searchUids(connection: Connection, query: SearchObject = { all: true }) {
  const uids = await uidsOf(connection, query)
  if (!uids)
    throw new MailServerError('refused', 'The server refused a search.', { retryable: true })
  return uids
}

/** What may be the message sought. */
export async function searchCopies(
  connection: Connection,
  { messageIdHeader = '', size }: CopySought,
): Promise<readonly number[]> {
  const value = messageIdHeader.trim()
  const byId = SEARCHABLE.test(value)
    ? await uidsOf(connection, { header: { 'Message-ID': value } })
    : undefined
  return byId ?? searchSize(connection, size)
}

/**
 * ASCII no longer than a line of a header, without backslashes, which servers do not all read alike, and not NIL, which
 * is no string where it is not quoted.
 */
const SEARCHABLE = /^(?!NIL$)[\x20-\x5b\x5d-\x7e]{1,998}$/i

/** Some servers, such as Courier, search for the size on their disk, which has no CR: for lines without text half as much. */
async function searchSize(connection: Connection, size: number): Promise<readonly number[]> {
  const atLeast = Math.floor(size / 2)
  // Both bounds are exclusive.
  const range = { smaller: size + 1, ...(atLeast > 0 && { larger: atLeast - 1 }) }
  const found: number[] = []
  for (const slice of uidSlices(await searchUids(connection, range))) {
    const sizes = await fetchSizes(connection.client, slice)
    found.push(...slice.filter((uid) => sizes.get(uid) === size))
  }
  return found
}

/** Undefined where the server refuses. */
async function uidsOf({ client }: Connection, query: SearchObject) {
  const uids = await client.search(query, { uid: true })
  return uids ? uids.toSorted((a, b) => a - b) : undefined
}
