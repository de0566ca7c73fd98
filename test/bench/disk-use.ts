import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { createClient } from '@libsql/client'

import { number } from './table.ts'
import type { Row } from './table.ts'

/** What a stored message takes on the disk. `dataDir` is that of a service that has ended. */
export async function measureDiskUse(dataDir: string, messages: number): Promise<readonly Row[]> {
  const database = bytesIn(dataDir, (name) => name.startsWith('svc.db'))
  const sources = bytesIn(join(dataDir, 'sources'), () => true)
  const kibibytes = (bytes: number) => `${number(bytes / messages / 1_024)} KiB`
  const share = await indexShare(`file:${join(dataDir, 'svc.db')}`)
  return [
    {
      work: 'disk per message: database, sources (zstd)',
      figure: `${kibibytes(database)}, ${kibibytes(sources)}`,
    },
    ...(share === undefined
      ? []
      : [
          {
            work: 'share of the database: search index, other indexes',
            figure: `${number(share.search * 100)} %, ${number(share.others * 100)} %`,
          },
        ]),
  ]
}

function bytesIn(directory: string, isCounted: (name: string) => boolean): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => isCounted(name))
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** Undefined where SQLite was built without its `dbstat` table. */
async function indexShare(
  url: string,
): Promise<{ readonly search: number; readonly others: number } | undefined> {
  const client = createClient({ url })
  try {
    const { rows } = await client.execute(
      `SELECT CASE WHEN stat.name LIKE '%search%' THEN 'search' ELSE item.type END AS kind, sum(stat.pgsize) AS bytes
       FROM dbstat AS stat LEFT JOIN sqlite_schema AS item ON item.name = stat.name GROUP BY kind`,
    )
    const bytes = new Map(rows.map((row) => [row['kind'], Number(row['bytes'])]))
    const total = [...bytes.values()].reduce((sum, value) => sum + value, 0)
    const share = (kind: string) => (bytes.get(kind) ?? 0) / total
    return { search: share('search'), others: share('index') }
  } catch {
    return undefined
  } finally {
    client.close()
  }
}
