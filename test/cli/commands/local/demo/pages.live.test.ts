import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { expect, onTestFinished, test } from 'vitest'
import { pagesText } from '../../../../../cli/commands/local/demo/pages.ts'
import { webPages } from '../../../../../runtime/node/web-pages.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

async function servePages(root: string): Promise<string> {
  const server = createAdaptorServer({ fetch: webPages(root).fetch }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('built pages are shown with their address', async () => {
  using root = temporaryDirectory()
  writeFileSync(join(root.path, 'index.html'), '<h1>start</h1>')
  const url = await servePages(root.path)
  expect(await pagesText(url)).toBe(`${url}, which asks for the token`)
})

test('pages that were never built are not promised', async () => {
  const text = await pagesText(await servePages('/nowhere/at/all'))
  expect(text).toContain('npm run build:web')
  expect(text).not.toContain('http')
})
