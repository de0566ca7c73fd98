import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { openApiDocument } from '../../handlers/openapi/document.ts'
import { listen } from '../../runtime/node/http-listener.ts'
import { webPages } from '../../runtime/node/web-pages.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const HOST = '127.0.0.1'
const ROOT = resolve(import.meta.dirname, '../..')

/** What the API of the pages answers, by path; a test changes it while the page watches. */
export interface FakeApi {
  readonly answers: Map<string, (request: Request) => Response | Promise<Response>>
  readonly requests: Request[]
}

/** The pages as they are built and served, with an API that answers what a test says, on a real socket. */
export async function servePages() {
  const directory = temporaryDirectory()
  await build(directory.path)
  const pages = webPages(directory.path)
  const api: FakeApi = { answers: new Map(), requests: [] }
  const answer = (request: Request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/')) return pages.fetch(request)
    api.requests.push(request)
    return api.answers.get(pathname)?.(request) ?? failure(404, { message: 'Nothing here.' })
  }
  let listener = await listen({ host: HOST, port: 0 }, answer)
  const { port } = listener
  return {
    api,
    url: `http://${HOST}:${port}`,
    stop: () => listener.close(0),
    async start() {
      listener = await listen({ host: HOST, port }, answer)
    },
    async end() {
      await listener.close(0)
      directory[Symbol.dispose]()
    },
  }
}

/** Answers as a service with one account and no mail does. */
export function answerWell({ answers, requests }: FakeApi): void {
  answers.clear()
  requests.length = 0
  const document = openApiDocument()
  answers.set('/api/health', () => Response.json({ ok: true, accounts: 1 }))
  answers.set('/api/v1/openapi.json', () => Response.json(document))
  answers.set('/api/v1/tokens/self', () =>
    Response.json({ label: 'first look', scopes: ['accounts:read', 'mail:read'] }),
  )
  answers.set('/api/v1/accounts', () => list([]))
  answers.set('/api/v1/messages', () => list([]))
}

export const list = (data: readonly object[]) => Response.json({ data, next_cursor: '' })

/** The error envelope. */
export const failure = (status: number, { message, details, headers = {} }: Failure) =>
  Response.json(
    { error: { code: 'any', message, ...(details && { details }) } },
    { status, headers },
  )

interface Failure {
  readonly message: string
  readonly details?: object
  readonly headers?: Record<string, string>
}

/** As npm run build:web does, but into a folder of its own. */
async function build(outDir: string): Promise<void> {
  const vite = resolve(ROOT, 'node_modules/vite/bin/vite.js')
  const to = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  const environment = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', 'web', ...to], {
    cwd: ROOT,
    env: environment,
  })
}
