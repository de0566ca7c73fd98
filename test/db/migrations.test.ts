import { readdirSync, readFileSync } from 'node:fs'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'

const SCHEMA = new URL('../../db/schema/', import.meta.url)
const SNAPSHOTS = new URL('../../db/migrations/meta/', import.meta.url)

test('the migrations lead to exactly the schema that the code describes', async () => {
  const tables: Record<string, unknown> = {}
  for (const file of readdirSync(SCHEMA))
    Object.assign(tables, await import(new URL(file, SCHEMA).href))
  const newest = readdirSync(SNAPSHOTS)
    .filter((name) => name.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)
  const migrated = JSON.parse(readFileSync(new URL(newest ?? '', SNAPSHOTS), 'utf8'))
  const described = await generateSQLiteDrizzleJson(tables, migrated.id, 'snake_case')
  expect(Object.keys(described.tables).length).toBeGreaterThan(10)
  expect(await generateSQLiteMigration(migrated, described)).toEqual([])
})
