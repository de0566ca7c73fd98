import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { webPages } from '../../../runtime/node/web-pages.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

function builtPages() {
  const directory = temporaryDirectory()
  onTestFinished(() => directory[Symbol.dispose]())
  const root = join(directory.path, 'dist')
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<h1>start</h1>')
  writeFileSync(join(root, 'assets/index-abc123.js'), 'let x')
  writeFileSync(join(directory.path, 'secret.key'), 'hidden')
  return webPages(root)
}

test('the start page comes with a strict policy and is asked for again each time', async () => {
  const page = await builtPages().request('/')
  expect(page.status).toBe(200)
  expect(await page.text()).toBe('<h1>start</h1>')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
})

test('only the reference may write styles of its own, and nothing may write scripts', async () => {
  const page = await builtPages().request('/reference.html')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("style-src 'self' 'unsafe-inline';")
  expect(policy).toContain("script-src 'self';")
})

test('what is named after its content may be kept for good', async () => {
  const script = await builtPages().request('/assets/index-abc123.js')
  expect(script.headers.get('content-type')).toMatch(/javascript/)
  expect(script.headers.get('cache-control')).toContain('immutable')
})

test.each([
  '/nothing',
  '/assets/none.js',
  '/../secret.key',
  '/%2e%2e/secret.key',
  '/..%2fsecret.key',
])('%s is a 404 with the same protection', async (path) => {
  const page = await builtPages().request(path)
  expect(page.status).toBe(404)
  expect(await page.text()).not.toContain('hidden')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('cache-control')).toBe('no-cache')
})

test('pages that were never built say how to build them', async () => {
  const page = await webPages('/nowhere/at/all').request('/')
  expect(page.status).toBe(404)
  expect(await page.text()).toContain('npm run build:web')
})
