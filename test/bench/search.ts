import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { seedMaildir } from '../../cli/commands/local/demo/maildir.ts'
import type { DovecotUser } from '../../cli/commands/local/demo/dovecot.ts'
import { benchDirectory, flushDisks } from './bench-directory.ts'
import { memoryOfBoth, showMemory } from './both-processes.ts'
import { addAccount, createToken } from './commands.ts'
import { untilStored } from './first-sync.ts'
import { httpClient, timed } from './http-client.ts'
import type { HttpClient } from './http-client.ts'
import { indexedText } from './indexed-text.ts'
import { measureIndexingCost } from './indexing-cost.ts'
import { startLabServers } from './lab-servers.ts'
import type { LabServers } from './lab-servers.ts'
import { BY_CHARACTERS, indexWithNotmuch } from './notmuch.ts'
import type { Notmuch } from './notmuch.ts'
import { watched } from './process-watch.ts'
import { rest } from './rest.ts'
import { say } from './say.ts'
import { searchIndexState, untilIndexMerged } from './search-index-state.ts'
import { searchQueries } from './search-queries.ts'
import type { QueryKind } from './search-queries.ts'
import { searchRows } from './search-rows.ts'
import { measureSearchSpeed, search } from './search-speed.ts'
import { searchedMailbox } from './searched-mailbox.ts'
import { startService } from './service.ts'
import { measureSuggestions, untilNoted } from './suggestion-speed.ts'
import { mebibytes, ms, number, seconds } from './table.ts'
import type { Row } from './table.ts'
import { untilSynced } from './until-synced.ts'

const SIZE_BAR = 2.5
const FIRST_SEARCHES = 3

/** What searches of a mailbox take, beside notmuch on the same files, and what their index costs. */
export async function measureSearch(
  stack: AsyncDisposableStack,
  { messages, withPeers }: { readonly messages: number; readonly withPeers: boolean },
): Promise<readonly Row[]> {
  const directory = await benchDirectory(stack)
  const servers = await startLabServers(stack)
  const user = await servers.addUser()
  const mailbox = searchedMailbox(messages)
  say(`seeding ${messages} messages`)
  await seedMaildir(user, 'INBOX', mailbox.messages())
  await flushDisks()
  if (withPeers) say('notmuch')
  const own = join(directory, 'notmuch')
  const notmuch = withPeers ? await indexWithNotmuch(own, user.maildir, BY_CHARACTERS) : undefined
  await flushDisks()

  say('first sync')
  const dataDir = join(directory, 'data')
  const service = await startService(directory, dataDir, watched(directory))
  stack.defer(() => service.stop())
  const api = httpClient(service.url, await createToken(dataDir))
  stack.defer(() => api.close())
  const synced = await untilSearchable({ api, dataDir, servers, user, messages })

  const queries = searchQueries(mailbox.contents, messages)
  const speeds = await measureSearchSpeed({ service, directory, api, notmuch }, queries)
  say('suggestions')
  await untilNoted(synced.databaseUrl)
  const suggestionRows = await measureSuggestions({ service, directory, api }, mailbox.contents)
  say('rest')
  await rest()
  const memory = showMemory(await memoryOfBoth(service))
  const size = await sizeRow(synced.databaseUrl, notmuch)
  say('indexing alone')
  return [
    ...syncRows(synced, { messages, notmuch }),
    ...searchRows(speeds),
    ...suggestionRows,
    { work: 'memory after it, at rest: handlers, sidecar, sum', figure: memory },
    await afterRestRow(api, queries),
    size,
    await measureIndexingCost(directory, searchedMailbox(messages).messages()),
  ]
}

interface UnsyncedUser {
  readonly api: HttpClient
  readonly dataDir: string
  readonly servers: LabServers
  readonly user: DovecotUser
  readonly messages: number
}

/** Milliseconds since the account was there. */
interface Searchable {
  readonly databaseUrl: string
  readonly syncedMs: number
  readonly mergedMs: number
}

/** Fills the store by a first sync, and waits until the index is as it stays. */
async function untilSearchable(unsynced: UnsyncedUser): Promise<Searchable> {
  const { api, dataDir, servers, user, messages } = unsynced
  const imap = { host: servers.dovecot.host, port: servers.dovecot.imapPort }
  const [storedMs] = await Promise.all([
    untilStored(api),
    addAccount(dataDir, { imap, smtp: servers.smtp, user }),
  ])
  const syncedMs = await untilSynced(api, { accounts: 1, messages })
  say('until the index is merged')
  const databaseUrl = pathToFileURL(join(dataDir, 'svc.db')).href
  const mergedMs = await untilIndexMerged(databaseUrl)
  return { databaseUrl, syncedMs: syncedMs - storedMs, mergedMs: mergedMs - storedMs }
}

function syncRows(
  { syncedMs, mergedMs }: Searchable,
  { messages, notmuch }: { readonly messages: number; readonly notmuch: Notmuch | undefined },
): readonly Row[] {
  return [
    {
      work: `first sync of ${messages.toLocaleString('en-GB')} messages, over IMAP, indexing included`,
      figure: `${seconds(syncedMs)}, ${number(messages / (syncedMs / 1_000))} messages/s`,
      ...(notmuch && {
        floor: `${seconds(notmuch.indexed.tookMs)} (notmuch new, from their files)`,
        ratio: number(syncedMs / notmuch.indexed.tookMs),
      }),
    },
    {
      work: 'until the sidecar has merged the index, from the end of it',
      figure: seconds(mergedMs - syncedMs),
    },
  ]
}

/** What lay in caches may have gone from them meanwhile. */
async function afterRestRow(api: HttpClient, [kind]: readonly QueryKind[]): Promise<Row> {
  const tookMs: number[] = []
  for (const { ours } of kind?.queries.slice(0, FIRST_SEARCHES) ?? []) {
    await rest()
    tookMs.push(await timed(() => search(api, ours)))
  }
  return {
    work: `the first search after a minute of rest, ${kind?.what}, each of ${FIRST_SEARCHES}`,
    figure: tookMs.map(ms).join(', '),
  }
}

async function sizeRow(databaseUrl: string, notmuch: Notmuch | undefined): Promise<Row> {
  const { bytes, segments } = await searchIndexState(databaseUrl)
  const { givenBytes, writtenBytes } = await indexedText(databaseUrl)
  const ratio = bytes / givenBytes
  return {
    work: 'search index, segments; the text it was given; the same as it was written',
    figure: `${mebibytes(bytes)}, ${segments}; ${mebibytes(givenBytes)}; ${mebibytes(writtenBytes)}`,
    ...(notmuch && { floor: `${mebibytes(notmuch.indexBytes)} (notmuch)` }),
    ratio: `${number(ratio)}, ${number(bytes / writtenBytes)}`,
    bar: `${number(SIZE_BAR)} of the text it was given`,
    met: ratio <= SIZE_BAR,
  }
}
