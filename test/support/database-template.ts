import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../../runtime/node/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated, empty database file, to be copied. */
    readonly databaseTemplate: string
  }
}

/** Migrates once per run: copying the file is what keeps a database per test cheap. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-template-'))
  const file = join(directory, 'template.db')
  await migrateDatabase(`file:${file}`)
  project.provide('databaseTemplate', file)
  return () => rmSync(directory, { recursive: true, force: true })
}
