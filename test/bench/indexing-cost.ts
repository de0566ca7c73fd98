import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { createClient } from '@libsql/client'

import type { StoredMessage } from '../../cli/commands/local/demo/maildir.ts'
import { digestMessage } from '../../domain/mime/digest-message.ts'
import { indexedBody, indexedHeader } from '../../domain/search/indexed-texts.ts'
import { storeContents } from '../../domain/sync/store-contents.ts'
import type { ParsedSource } from '../../domain/sync/store-contents.ts'
import { openFileStore } from '../../runtime/node/file-store.ts'
import { migrateDatabase } from '../../runtime/node/migrate.ts'
import type { Store } from '../../runtime/ports/store.ts'
import { stretch } from './stretch.ts'
import { number } from './table.ts'
import type { Row } from './table.ts'

const MESSAGES_MAX = 20_000
/** As a sync stores them. */
const GROUP = 24
const MICROSECONDS = 1_000

/** Processor time of this process per message, in milliseconds. */
interface IndexingCost {
  readonly messages: number
  readonly digestMs: number
  /** Of the digest, the texts for the index. */
  readonly foldMs: number
  readonly storeMs: number
  readonly storeUnindexedMs: number
}

/** What of the work on a new message is for the index: the same messages, read and stored with it and without. */
export async function measureIndexingCost(
  directory: string,
  messages: Iterator<StoredMessage>,
): Promise<Row> {
  const own = join(directory, 'indexing-cost')
  await mkdir(own)
  const indexed = await emptyStore(join(own, 'indexed.db'))
  const unindexed = await emptyStore(join(own, 'unindexed.db'), withoutIndex)
  try {
    return rowOf(await costOf(messages, { indexed, unindexed }))
  } finally {
    await indexed.close()
    await unindexed.close()
  }
}

async function emptyStore(
  file: string,
  change: (url: string) => Promise<unknown> = async () => undefined,
): Promise<Store> {
  const { href } = pathToFileURL(file)
  await migrateDatabase(href)
  await change(href)
  return openFileStore(href)
}

/** What is written to the index is thrown away. */
async function withoutIndex(url: string): Promise<void> {
  const client = createClient({ url })
  const columns = 'subject, sender, recipients, cc, bcc, filenames, body, traits'
  await client.executeMultiple(`
    DROP TABLE search_index;
    CREATE TABLE search_index (${columns});
    CREATE TRIGGER search_index_ignored BEFORE INSERT ON search_index BEGIN SELECT RAISE (IGNORE); END;
  `)
  client.close()
}

async function costOf(
  messages: Iterator<StoredMessage>,
  { indexed, unindexed }: { readonly indexed: Store; readonly unindexed: Store },
): Promise<IndexingCost> {
  let count = 0
  let [digestMs, foldMs, storeMs, storeUnindexedMs] = [0, 0, 0, 0]
  for (;;) {
    const group = [...stretch(messages, Math.min(GROUP, MESSAGES_MAX - count))]
    if (group.length === 0) break
    let sources: readonly ParsedSource[] = []
    digestMs += await processorMs(async () => {
      sources = await Promise.all(group.map(parsed))
    })
    foldMs += await processorMs(() => {
      for (const { digest } of sources) void [indexedHeader(digest), indexedBody(digest)]
    })
    storeMs += await processorMs(() => indexed.transaction((tx) => storeContents(tx, sources)))
    storeUnindexedMs += await processorMs(() =>
      unindexed.transaction((tx) => storeContents(tx, sources)),
    )
    count += group.length
  }
  const each = (sumMs: number) => sumMs / count
  return {
    messages: count,
    digestMs: each(digestMs),
    foldMs: each(foldMs),
    storeMs: each(storeMs),
    storeUnindexedMs: each(storeUnindexedMs),
  }
}

async function parsed({ source, internalDate }: StoredMessage): Promise<ParsedSource> {
  return {
    sourceHash: createHash('sha256').update(source).digest('hex'),
    sourceKept: true,
    size: source.byteLength,
    dateMs: internalDate.getTime(),
    digest: await digestMessage(source),
  }
}

async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / MICROSECONDS
}

function rowOf(cost: IndexingCost): Row {
  const { messages, digestMs, foldMs, storeMs, storeUnindexedMs } = cost
  const each = (valueMs: number) => `${number(valueMs)} ms`
  const indexingMs = foldMs + storeMs - storeUnindexedMs
  return {
    work: `processor time of indexing per message, ${messages.toLocaleString('en-GB')} of them: folding, writing; sum`,
    figure: `${each(foldMs)}, ${each(storeMs - storeUnindexedMs)}; ${each(indexingMs)}`,
    floor: `${each(digestMs + storeUnindexedMs - foldMs)} (reading and storing it without the index)`,
    ratio: number(indexingMs / (digestMs + storeUnindexedMs - foldMs)),
  }
}
