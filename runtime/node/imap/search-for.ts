import type { ImapAttribute, ImapResponse } from 'imapflow'
import { iterateRange } from 'imapflow/lib/tools.js'
import { MailServerError } from '../../ports/mail-server-error.ts'
import type { SearchCriterion } from '../../ports/search-criterion.ts'
import type { Connection } from './connection.ts'
import { mailServerError } from './failure.ts'
import { sendCommand } from './internals.ts'
import { openMailbox } from './mailbox.ts'
import { hasUnicode, searchKeys } from './search-keys.ts'

/** More than a mailbox has; a server that names more would fill the memory. */
const UIDS_MAX = 4_000_000

/** The UIDs of the messages in the open mailbox of which the criterion is true, ascending. */
export async function searchFor(
  connection: Connection,
  criterion: SearchCriterion,
): Promise<readonly number[]> {
  try {
    return await ask(connection, criterion)
  } catch (error) {
    // Some servers know no other character set (BADCHARSET), and not all of them say that this is why.
    const failure = mailServerError(error, connection.mask)
    if (failure.kind !== 'refused' || !hasUnicode(criterion)) throw error
    return ask(connection, inAscii(criterion))
  }
}

/** The same as far as it is ASCII. True of all that the criterion is true of. */
function inAscii(criterion: SearchCriterion): SearchCriterion {
  if (!hasUnicode(criterion)) return criterion
  if (criterion.kind !== 'and') return { kind: 'all' }
  return { kind: 'and', of: criterion.of.map(inAscii) }
}

async function ask(connection: Connection, criterion: SearchCriterion): Promise<readonly number[]> {
  openMailbox(connection)
  const found: number[] = []
  const hear = (numbers: Iterable<number>) => {
    for (const number of numbers) {
      if (found.length === UIDS_MAX) return
      found.push(number)
    }
  }
  await sendCommand(connection.client, {
    name: 'UID SEARCH',
    attributes: searchKeys(connection.client, criterion),
    untagged: {
      SEARCH: (response) => hear(searched(response)),
      // Of servers that speak IMAP4rev2 (RFC 9051 section 7.3.4).
      ESEARCH: (response) => hear(searchedAll(response)),
    },
  })
  if (found.length === UIDS_MAX) throw tooMany()
  return [...new Set(found)].toSorted((a, b) => a - b)
}

const searched = ({ numbers, attributes = [] }: ImapResponse): readonly number[] =>
  (numbers ?? attributes.map((attribute) => Number(textOf(attribute)))).filter(isUid)

/** What follows ALL. Two bytes can name four thousand million, so nothing is done that has not been asked for. */
function searchedAll({ attributes = [] }: ImapResponse): Iterable<number> {
  const at = attributes.findIndex((attribute) => textOf(attribute).toUpperCase() === 'ALL')
  return at < 0 ? [] : iterateRange(textOf(attributes[at + 1]))
}

const textOf = (attribute: ImapAttribute | undefined) => String(attribute?.value ?? '')

const isUid = (number: number) => Number.isSafeInteger(number) && number > 0 && number < 2 ** 32

const tooMany = () =>
  new MailServerError('refused', 'The server named more messages than a mailbox has.', {
    retryable: true,
  })
