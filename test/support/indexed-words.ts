import { join } from 'node:path'
import { createClient } from '@libsql/client'

/** Every word of the search index, with its column and place there, by the content that it is of. */
export async function indexedWords(dataDir: string): Promise<ReadonlyMap<number, string>> {
  const database = createClient({ url: `file:${join(dataDir, 'svc.db')}`, timeout: 5_000 })
  try {
    await database.execute(
      'create virtual table temp.indexed_words using fts5vocab(main, search_index, instance)',
    )
    const { rows } = await database.execute(
      `select doc, group_concat(col || ' ' || offset || ' ' || term, char(10) order by col, offset) as words
         from temp.indexed_words group by doc`,
    )
    return new Map(
      rows.map(({ doc, words }) => [Number(doc), typeof words === 'string' ? words : '']),
    )
  } finally {
    database.close()
  }
}
