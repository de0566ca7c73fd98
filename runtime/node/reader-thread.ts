import { parentPort, workerData } from 'node:worker_threads'
import { createClient, type InValue } from '@libsql/client/sqlite3'

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
const client = createClient({ url, timeout: busyTimeoutMs, concurrency: 1 })

async function answerOf({ sql, values: args }: ReadRequest): Promise<ReadAnswer> {
  try {
    const { rows } = await client.execute({ sql, args })
    return { rows: rows.map((row) => Array.from(row)) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  void answerOf(request).then((answer) => parentPort?.postMessage(answer, []))
})
