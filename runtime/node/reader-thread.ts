import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { InValue } from '@libsql/client/sqlite3'
import Database from 'libsql'

/** Prepared again, a query takes a tenth of a millisecond longer; kept, it takes some ten kilobytes. */
const STATEMENTS_MAX = 200

/** What a reading thread is started with. */
export interface ReaderThreadData {
  readonly url: string
  readonly busyTimeoutMs: number
}

/** A statement with a value for each of its parameters. */
export interface ReadRequest {
  readonly sql: string
  readonly values: InValue[]
}

/** Its rows, each the values of its columns; or what the database engine said. */
export type ReadAnswer = { readonly rows: unknown[][] } | { readonly failure: string }

const { url, busyTimeoutMs } = workerData as ReaderThreadData
// The client's own driver: the client prepares each query anew, and makes objects of its rows.
const database = new Database(fileURLToPath(url), { timeout: busyTimeoutMs })
const statements = new Map<string, Database.Statement>()

function statementOf(sql: string): Database.Statement {
  const statement = statements.get(sql) ?? database.prepare(sql).raw()
  if (statements.size >= STATEMENTS_MAX && !statements.has(sql)) statements.clear()
  statements.set(sql, statement)
  return statement
}

function answerOf({ sql, values }: ReadRequest): ReadAnswer {
  try {
    return { rows: statementOf(sql).all(values) as unknown[][] }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answerOf(request), []))
