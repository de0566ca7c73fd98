import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve, type ServerType } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { harness, type Harness } from '../support/harness.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const clients = fileURLToPath(new URL('generated-clients', import.meta.url))
const golden = fileURLToPath(new URL('../golden/openapi.json', import.meta.url))
const directory = temporaryDirectory()
const cwd = join(directory.path, 'clients')
const run = promisify(execFile)

let h: Harness
let inbox: Awaited<ReturnType<Harness['make']['inbox']>>
let server: ServerType
let baseUrl = ''

beforeAll(async () => {
  // The generators need the JavaScript API of an older TypeScript, so they have an installation of their own.
  cpSync(clients, cwd, { recursive: true })
  cpSync(golden, join(cwd, 'openapi.json'))
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd })
  await run('npm', ['run', 'generate'], { cwd })
  await run('npm', ['run', 'compile'], { cwd })

  h = await harness()
  inbox = await h.make.inbox((await h.make.account()).id)
  await h.make.message(inbox, { read: true })
  baseUrl = await new Promise((resolve) => {
    server = serve({ fetch: h.api.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    )
  })
}, 300_000)

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await h.close()
  directory[Symbol.dispose]()
})

test.each(['with-openapi-fetch', 'with-hey-api'])(
  'the client %s compiles, and reads and changes a mailbox over a socket',
  async (client) => {
    await h.make.message(inbox, { source: `Subject: Good news\r\n\r\nIt works ${client}.\r\n` })
    const { stdout } = await run(process.execPath, [`compiled/${client}.js`, baseUrl, h.secret], {
      cwd,
    })
    expect(JSON.parse(stdout)).toEqual({
      subjects: ['Good news'],
      text: expect.stringContaining(`It works ${client}.`),
      subjectHeader: ['Good news'],
      labels: ['good'],
      moved: ['ok'],
      folder: 'inbox',
    })
  },
)
