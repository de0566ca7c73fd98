import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { createClient } from '@libsql/client'

import type { PeerSync } from './peer-sync.ts'
import { number } from './table.ts'
import type { Row } from './table.ts'

/** What is in the database, by what it is for. */
const KINDS = ['text', 'search', 'index', 'table'] as const

type Kind = (typeof KINDS)[number]

export interface DiskBench {
  /** Of a service that has ended. */
  readonly dataDir: string
  readonly messages: number
  /** Undefined where there are none. */
  readonly peers: PeerSync | undefined
}

/** What a stored message takes on the disk. */
export async function measureDiskUse(bench: DiskBench): Promise<readonly Row[]> {
  const { dataDir, messages, peers } = bench
  const perMessage = (bytes: number) => `${number(bytes / messages / 1_024)} KiB`
  const database = bytesIn(dataDir, (name) => name.startsWith('svc.db'))
  const sources = bytesIn(join(dataDir, 'sources'), () => true)
  const log = bytesIn(dataDir, (name) => name === 'svc.db-wal')
  const total = database + sources
  const used = await databaseUse(`file:${join(dataDir, 'svc.db')}`)
  const share = (bytes: number) => `${number((bytes / total) * 100)} %`
  return [
    {
      work: 'disk per message: all, sources (zstd), database',
      figure: [total, sources, database].map(perMessage).join(', '),
      ...(peers && {
        floor: `${perMessage(peers.maildirBytes + peers.indexBytes)}, ${perMessage(peers.maildirBytes)}, ${perMessage(peers.indexBytes)} (mbsync + notmuch)`,
        ratio: number(total / (peers.maildirBytes + peers.indexBytes)),
      }),
    },
    {
      work: 'share of it: sources, text and headers, search index, rows, other indexes, log',
      figure: used
        ? [sources, used.text, used.search, used.table, used.index, log].map(share).join(', ')
        : 'SQLite was built without dbstat',
    },
  ]
}

/** What the files below a directory hold. */
export function bytesIn(directory: string, isCounted: (name: string) => boolean): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => isCounted(name))
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** Undefined where SQLite was built without its `dbstat` table. */
async function databaseUse(url: string): Promise<Readonly<Record<Kind, number>> | undefined> {
  const client = createClient({ url })
  try {
    const { rows } = await client.execute(
      `SELECT CASE WHEN stat.name LIKE '%search%' THEN 'search' WHEN stat.name = 'content_bodies' THEN 'text'
         ELSE item.type END AS kind, sum(stat.pgsize) AS bytes
       FROM dbstat AS stat LEFT JOIN sqlite_schema AS item ON item.name = stat.name GROUP BY kind`,
    )
    const bytes = new Map(rows.map((row) => [row['kind'], Number(row['bytes'])]))
    const [text = 0, search = 0, index = 0, table = 0] = KINDS.map((kind) => bytes.get(kind) ?? 0)
    return { text, search, index, table }
  } catch {
    return undefined
  } finally {
    client.close()
  }
}
