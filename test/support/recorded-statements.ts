import { createRequire } from 'node:module'
import { onTestFinished } from 'vitest'

interface Driver {
  readonly prototype: { prepare: (this: unknown, sql: string) => unknown }
}

/** The driver that every store here ends in. */
const driver = createRequire(createRequire(import.meta.url).resolve('@libsql/client/sqlite3'))(
  'libsql',
) as Driver

/** The text of every statement that is run until the test ends, as the database gets it. */
export function recordedStatements(): readonly string[] {
  const statements: string[] = []
  const { prototype } = driver
  const { prepare } = prototype
  prototype.prepare = function recording(sql) {
    statements.push(sql)
    return prepare.call(this, sql)
  }
  onTestFinished(() => {
    prototype.prepare = prepare
  })
  return statements
}
